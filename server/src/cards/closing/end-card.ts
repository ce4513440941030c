import type { Effects } from "../../engine/operation.ts";
import { update } from "../../engine/table.ts";
import type { View } from "../../engine/view.ts";
import type { Account } from "../../ledger/accounts.ts";
import type { Card, CardCounters } from "../card.ts";
import type { Collection } from "../charges/collect.ts";
import { type DescribedCard, describeCard } from "../describe.ts";
import { cardCounters } from "../kept-tables.ts";
import { listsOf, merchantsOfCard } from "../merchant-table.ts";
import { numbered } from "../numbering.ts";
import { cards } from "../tables.ts";
import { payoutIfDue } from "./payout.ts";

export function terminated(card: Card, reason: string, now: Date): Card {
  return { ...card, status: "Terminated", terminationReason: reason, terminatedAt: now };
}

export interface EndingCard {
  /** As it will be. */
  card: Card;
  /** All cards of its account, as they will be. */
  family: readonly Card[];
  /** As it was before charges were collected. */
  account: Account;
  /** What was collected of the card's charges, which come before the wallet. */
  collection: Collection;
  /** As the collection left them. */
  counters: CardCounters;
  /** Where the rest goes; unset where the account still holds something, so that nothing can be due. */
  payTo?: { wallet: Account; transactionId: string } | undefined;
  now: Date;
}

export interface EndedCard {
  /** With those of the collection. */
  effects: Required<Pick<Effects, "postings" | "rows" | "events">>;
  described: DescribedCard;
  /** What the account has at the end. */
  account: Account;
  /** The same for the wallet, where something was paid out to it or charged to it. */
  wallet?: Account;
}

/** Ends a card whose charges were collected: pays out what is due, writes the card and tells of its end. */
export function endCard(view: View, ending: EndingCard): EndedCard {
  const { card, counters, payTo, now } = ending;
  const { effects, balancesMinor } = ending.collection;
  const afterCharges = (of: Account): Account => ({
    ...of,
    postedMinor: balancesMinor.get(of.accountId) ?? of.postedMinor,
  });
  const charged = afterCharges(ending.account);
  const paid =
    payTo &&
    payoutIfDue({
      transactionId: payTo.transactionId,
      entryId: payTo.transactionId,
      card,
      cards: ending.family,
      account: charged,
      wallet: afterCharges(payTo.wallet),
      now,
    });
  const account = paid === undefined ? charged : { ...charged, postedMinor: 0n };
  const paidMinor = charged.postedMinor - account.postedMinor;
  const lists = listsOf(view.rows(merchantsOfCard, card.cardId));
  const described = describeCard(card, account, counters, lists);
  const data = paid === undefined ? described : { ...described, payout: paid.described };
  const sequenced = numbered(counters, { eventType: "card.terminated", data });
  const postings = [...effects.postings, ...(paid?.effects.postings ?? [])];
  const rows = [
    ...effects.rows,
    ...(paid?.effects.rows ?? []),
    update(cards, card),
    update(cardCounters, sequenced.counters),
  ];
  const events = [...effects.events, ...sequenced.events];
  const wallet = payTo && credited(afterCharges(payTo.wallet), paidMinor);
  const isWalletMoved = wallet?.postedMinor !== payTo?.wallet.postedMinor;
  return {
    effects: { postings, rows, events },
    described,
    account,
    ...(wallet !== undefined && isWalletMoved ? { wallet } : {}),
  };
}

const credited = (account: Account, byMinor: bigint): Account => ({
  ...account,
  postedMinor: account.postedMinor + byMinor,
});
