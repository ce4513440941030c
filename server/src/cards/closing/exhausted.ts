import { need, type RowChange, update } from "../../engine/table.ts";
import type { View } from "../../engine/view.ts";
import type { Account } from "../../ledger/accounts.ts";
import type { CardCounters, CardFacts } from "../card.ts";
import { describeCard } from "../describe.ts";
import { cardTerms } from "../kept-tables.ts";
import { listsOf, merchantsOfCard } from "../merchant-table.ts";
import type { CardEvent } from "../numbering.ts";
import { cardById, cards } from "../tables.ts";
import { terminated } from "./end-card.ts";

export const BALANCE_EXHAUSTED = "BalanceExhausted";

/**
 * Ends a lite card when a settlement or a charge has taken its last money, since it cannot be topped up. Money
 * that is only held does not count as taken. Nothing is left to pay out, or to collect the card's own charges
 * from; charges to the wallet can still be reprocessed.
 */
export function endIfExhausted(
  view: View,
  { type, cardId }: CardFacts,
  /** The card's own, as it will be. */
  account: Account,
  counters: CardCounters,
  now: Date,
): { rows: RowChange[]; events: CardEvent[] } {
  const isOver = view.row(cardTerms, cardId)?.status === "Terminated";
  if (type !== "Lite" || isOver || account.postedMinor > 0n) return { rows: [], events: [] };
  view.want([need(cardById, cardId), need(merchantsOfCard, cardId)]);
  const [before] = view.rows(cardById, cardId);
  if (before === undefined) return { rows: [], events: [] };
  const card = terminated(before, BALANCE_EXHAUSTED, now);
  const lists = listsOf(view.rows(merchantsOfCard, cardId));
  const data = describeCard(card, account, counters, lists);
  return { rows: [update(cards, card)], events: [{ eventType: "card.terminated", data }] };
}
