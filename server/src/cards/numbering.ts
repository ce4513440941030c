import type { EventDraft } from "../engine/operation.ts";
import type { CardCounters } from "./card.ts";

/** What a card has to tell. */
export interface Tale {
  eventType: string;
  /** The payment whose beginning it tells: then `data` is only what that has not. */
  begins?: string;
  data: object;
}

/** Gives a card's events the next numbers of its sequence; the counters that come back must be written. */
export function numbered(
  counters: CardCounters,
  ...tales: Tale[]
): { counters: CardCounters; events: EventDraft[] } {
  const { cardId } = counters;
  let { eventSequence } = counters;
  const events = tales.map(({ eventType, begins, data }) => {
    eventSequence += 1n;
    const told = begins === undefined ? { cardId, ...data } : data;
    return { eventType, cardId, sequence: eventSequence, begins, data: told };
  });
  return { counters: { ...counters, eventSequence }, events };
}
