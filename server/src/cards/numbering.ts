import type { EventDraft } from "../engine/operation.ts";
import type { CardCounters } from "./card.ts";

/** An event of a card that has no sequence number yet. */
export interface CardEvent {
  eventType: string;
  opensTransactionId?: string;
  data: object;
}

/** Gives a card's events the next sequence numbers; the returned counters must be written. */
export function numbered(
  counters: CardCounters,
  ...cardEvents: CardEvent[]
): { counters: CardCounters; events: EventDraft[] } {
  const { cardId } = counters;
  let { eventSequence } = counters;
  const events = cardEvents.map(({ eventType, opensTransactionId, data }) => {
    eventSequence += 1n;
    const payload = opensTransactionId === undefined ? { cardId, ...data } : data;
    return { eventType, cardId, sequence: eventSequence, opensTransactionId, data: payload };
  });
  return { counters: { ...counters, eventSequence }, events };
}
