import type { EventDraft } from "../engine/operation.ts";
import { type RowChange, update } from "../engine/table.ts";
import type { Card } from "./card.ts";
import { type DescribedCard, describeCard } from "./describe.ts";
import { cardCounters } from "./kept-tables.ts";
import type { WholeCard } from "./loaded-card.ts";
import { numbered } from "./numbering.ts";
import { cards } from "./tables.ts";

/** The rows and the event that a change of a card's own fields comes to, and the card as it is then. */
export function changeCard(
  { card, counters, account, lists }: WholeCard,
  change: Partial<Card>,
  eventType: string,
): { rows: RowChange[]; events: EventDraft[]; described: DescribedCard } {
  const changed = { ...card, ...change };
  const described = describeCard(changed, account, counters, lists);
  const sequenced = numbered(counters, { eventType, data: described });
  const rows = [update(cards, changed), update(cardCounters, sequenced.counters)];
  return { rows, events: sequenced.events, described };
}
