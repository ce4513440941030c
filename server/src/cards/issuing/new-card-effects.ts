import type { EventDraft } from "../../engine/operation.ts";
import { insert, type RowChange } from "../../engine/table.ts";
import { type Card, type CardSecrets, newCounters } from "../card.ts";
import { type CardMoney, type DescribedCard, describeCard } from "../describe.ts";
import { cardCounters } from "../kept-tables.ts";
import { numbered } from "../numbering.ts";
import { cardSecrets, cards } from "../tables.ts";

/** The rows of a card that begins, its first event, and the card as it is then. */
export function newCardEffects(
  card: Card,
  secrets: CardSecrets,
  money: CardMoney,
): { rows: RowChange[]; events: EventDraft[]; described: DescribedCard } {
  const counters = newCounters(card);
  const described = describeCard(card, money, counters);
  const sequenced = numbered(counters, { eventType: "card.issued", data: described });
  const rows = [
    insert(cards, card),
    insert(cardCounters, sequenced.counters),
    insert(cardSecrets, secrets),
  ];
  return { rows, events: sequenced.events, described };
}
