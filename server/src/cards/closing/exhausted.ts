import { type Need, need, type RowChange, update } from "../../engine/table.ts";
import type { View } from "../../engine/view.ts";
import type { Account } from "../../ledger/accounts.ts";
import type { CardCounters, CardFacts } from "../card.ts";
import { describeCard } from "../describe.ts";
import { listsOf, merchantsOfCard } from "../merchants.ts";
import type { Tale } from "../numbering.ts";
import { cards, cardsOfAccount } from "../tables.ts";
import { terminated } from "./terminate.ts";

export const BALANCE_EXHAUSTED = "BalanceExhausted";

/** What must be read where a lite card may come to its end without a purchase. */
export const needsOfExhaustion = ({ type, cardId, accountId }: CardFacts): Need[] =>
  type === "Lite" ? [need(cardsOfAccount, accountId), need(merchantsOfCard, cardId)] : [];

/**
 * Ends a lite card whose last money a settlement or a charge has taken: nobody can top it up. Money that is
 * held may still come back, and is not gone before it is settled. So there is nothing to pay out, nor to
 * collect the card's charges from; what the wallet owes for it is reprocessed as ever.
 */
export function endIfExhausted(
  view: View,
  { type, cardId }: CardFacts,
  /** The card's own, as it will be. */
  account: Account,
  counters: CardCounters,
  now: Date,
): { rows: RowChange[]; tales: Tale[] } {
  const before = type === "Lite" ? view.row(cards, cardId) : undefined;
  if (before === undefined || before.status === "Terminated" || account.postedMinor > 0n) {
    return { rows: [], tales: [] };
  }
  const card = terminated(before, BALANCE_EXHAUSTED, now);
  const lists = listsOf(view.rows(merchantsOfCard, cardId));
  const data = describeCard(card, account, counters, lists);
  return { rows: [update(cards, card)], tales: [{ eventType: "card.terminated", data }] };
}
