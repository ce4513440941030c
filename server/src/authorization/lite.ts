import type { CardCounters, CardTerms } from "../cards/card.ts";
import { collectCharges } from "../cards/charges/collect.ts";
import { pendingChargesOfCard } from "../cards/charges/table.ts";
import { type EndedCard, endCard, terminated } from "../cards/closing/end-card.ts";
import { BALANCE_EXHAUSTED } from "../cards/closing/exhausted.ts";
import { merchantsOfCard } from "../cards/merchant-table.ts";
import { cardById } from "../cards/tables.ts";
import { type Need, need } from "../engine/table.ts";
import type { View } from "../engine/view.ts";
import { type Account, availableMinor } from "../ledger/accounts.ts";
import type { Purchase } from "./purchase.ts";

/** What else a lite card's purchase must read, since it may well be the card's last. */
export const needsOfLite = ({ card: { type, cardId } }: Purchase): Need[] =>
  type === "Lite"
    ? [need(cardById, cardId), need(pendingChargesOfCard, cardId), need(merchantsOfCard, cardId)]
    : [];

/** A lite card after a purchase was approved. */
export interface Swiped {
  terms: CardTerms;
  /** The card's own. */
  account: Account;
  /** What holds the purchase's amount: the card's own account, or the wallet. */
  funding: Account;
  /** With the purchase counted, and its events. */
  counters: CardCounters;
}

/** Why a lite card ends with this purchase: its last swipe, or its last money. */
export function endOf({ terms, account, counters }: Swiped): string | undefined {
  if (terms.swipeCount === null) return undefined;
  if (counters.swipesUsed >= terms.swipeCount) return "SwipesUsed";
  return availableMinor(account) <= 0n ? BALANCE_EXHAUSTED : undefined;
}

/**
 * Ends a lite card. As with every termination, pending charges are collected first, as far as the money
 * goes; the rest goes to the wallet when the last hold is gone, which may be now. Charges to the wallet are tried
 * only where that pays for the purchase too: every purchase with a lite card would have to wait for its lock, which
 * all cards of the organization share, for the sake of what can be reprocessed at any time.
 */
export function endLiteCard(
  view: View,
  { card: { cardId }, chargeTransactionIds, managed }: Purchase,
  { account, funding, counters: swiped }: Swiped,
  reason: string,
  now: Date,
): EndedCard {
  const [before] = view.rows(cardById, cardId);
  if (before === undefined) throw new Error(`The lite card ${cardId} is gone.`);
  const card = terminated(before, reason, now);
  const collection = collectCharges(view, {
    charges: view.rows(pendingChargesOfCard, cardId),
    cards: [card],
    accounts: managed === undefined ? [account] : [account, funding],
    counters: new Map([[cardId, swiped]]),
    transactionIds: chargeTransactionIds,
    now,
  });
  const counters = collection.counters.get(cardId) ?? swiped;
  // Where the card's own account pays, the purchase itself is held on it.
  const payTo = managed && { wallet: funding, transactionId: managed.payoutTransactionId };
  return endCard(view, { card, family: [card], account, collection, counters, payTo, now });
}
