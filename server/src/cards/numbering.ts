import type { EventDraft } from "../engine/operation.ts";
import type { CardCounters } from "./card.ts";

/** Gives a card's events the next numbers of its sequence; the counters that come back must be written. */
export function numbered(
  counters: CardCounters,
  ...drafts: { eventType: string; data: object }[]
): { counters: CardCounters; events: EventDraft[] } {
  const { cardId } = counters;
  let { eventSequence } = counters;
  const events = drafts.map(({ eventType, data }) => {
    eventSequence += 1n;
    return { eventType, cardId, sequence: eventSequence, data: { cardId, ...data } };
  });
  return { counters: { ...counters, eventSequence }, events };
}
