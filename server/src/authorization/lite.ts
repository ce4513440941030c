import type { Card, CardCounters } from "../cards/card.ts";
import { collectCharges } from "../cards/charges/collect.ts";
import { pendingChargesOfCard } from "../cards/charges/table.ts";
import { BALANCE_EXHAUSTED } from "../cards/closing/exhausted.ts";
import { payoutIfDue } from "../cards/closing/payout.ts";
import { terminated } from "../cards/closing/terminate.ts";
import { describeCard } from "../cards/describe.ts";
import { listsOf, merchantsOfCard } from "../cards/merchant-table.ts";
import { numbered } from "../cards/numbering.ts";
import { cardCounters, cards } from "../cards/tables.ts";
import type { Effects } from "../engine/operation.ts";
import { type Need, need, update } from "../engine/table.ts";
import type { View } from "../engine/view.ts";
import { type Account, availableMinor } from "../ledger/accounts.ts";
import type { Purchase } from "./purchase.ts";

/** What else a lite card's purchase must read, since it may be the card's last. */
export const needsOfLite = ({ card: { type, cardId } }: Purchase): Need[] =>
  type === "Lite" ? [need(pendingChargesOfCard, cardId), need(merchantsOfCard, cardId)] : [];

/** A lite card after a purchase was approved. */
export interface Swiped {
  card: Card;
  /** The card's own. */
  account: Account;
  /** What holds the purchase's amount: the card's own account, or the wallet. */
  funding: Account;
  /** With the purchase counted, and its events. */
  counters: CardCounters;
}

/** Why a lite card ends with this purchase: its last swipe, or its last money. */
export function endOf({ card, account, counters }: Swiped): string | undefined {
  if (card.swipeCount === null) return undefined;
  if (counters.swipesUsed >= card.swipeCount) return "SwipesUsed";
  return availableMinor(account) <= 0n ? BALANCE_EXHAUSTED : undefined;
}

type End = Required<Pick<Effects, "postings" | "rows" | "events">> & { account: Account };

/**
 * Ends a lite card. As with every termination, pending charges are collected first, as far as the money
 * goes; the rest goes to the wallet when the last hold is gone, which may be now. Charges to the wallet are tried
 * only where that pays for the purchase too: every purchase with a lite card would have to wait for its lock, which
 * all cards of the organization share, for the sake of what can be reprocessed at any time.
 */
export function endCard(
  view: View,
  { chargeTransactionIds, managed }: Purchase,
  { card: before, account, funding, counters }: Swiped,
  reason: string,
  now: Date,
): End {
  const card = terminated(before, reason, now);
  const { cardId } = card;
  const { effects, balancesMinor, ...collection } = collectCharges(view, {
    charges: view.rows(pendingChargesOfCard, cardId),
    cards: [card],
    accounts: managed === undefined ? [account] : [account, funding],
    counters: new Map([[cardId, counters]]),
    transactionIds: chargeTransactionIds,
    now,
  });
  const afterCharges = (of: Account): Account => ({
    ...of,
    postedMinor: balancesMinor.get(of.accountId) ?? of.postedMinor,
  });
  const charged = afterCharges(account);
  // Where the card's own account pays, the purchase itself is held on it.
  const paid =
    managed &&
    payoutIfDue({
      transactionId: managed.payoutTransactionId,
      entryId: managed.payoutTransactionId,
      card,
      cards: [card],
      account: charged,
      wallet: afterCharges(funding),
      now,
    });
  const left = paid === undefined ? charged : { ...charged, postedMinor: 0n };
  const counted = collection.counters.get(cardId) ?? counters;
  const lists = listsOf(view.rows(merchantsOfCard, cardId));
  const described = describeCard(card, left, counted, lists);
  const data = paid === undefined ? described : { ...described, payout: paid.payout };
  const sequenced = numbered(counted, { eventType: "card.terminated", data });
  return {
    postings: [...effects.postings, ...(paid?.effects.postings ?? [])],
    rows: [
      ...effects.rows,
      ...(paid?.effects.rows ?? []),
      update(cards, card),
      update(cardCounters, sequenced.counters),
    ],
    events: [...effects.events, ...sequenced.events],
    account: left,
  };
}
