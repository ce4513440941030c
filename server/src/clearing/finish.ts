import type { CardCounters, CardFacts } from "../cards/card.ts";
import { payoutIfDue } from "../cards/closing/payout.ts";
import { moved } from "../cards/funding/moved.ts";
import { numbered } from "../cards/numbering.ts";
import { cardCounters, cardsOfAccount } from "../cards/tables.ts";
import type { Decision, Effects } from "../engine/operation.ts";
import { type RowChange, update } from "../engine/table.ts";
import type { View } from "../engine/view.ts";
import type { Account } from "../ledger/accounts.ts";
import type { Transaction } from "../transactions/transaction.ts";
import type { Movement } from "./money.ts";

/** What became of a payment, and the accounts it touched as they are now. */
export interface Cleared {
  transaction: Transaction;
  /** The card's own account. */
  account: Account;
  /** Where it was moved. */
  wallet?: Account;
}

export interface Finishing {
  entryId: string;
  card: CardFacts;
  walletId: string;
  payoutTransactionId: string;
  transaction: Transaction;
  eventType: string;
  counters: CardCounters;
  movement: Movement;
  rows: RowChange[];
  now: Date;
}

/** Puts the effects of a message together; an account that is thereby closed is paid out in the same entry. */
export function finish(view: View, input: Finishing): Decision<Cleared> {
  const { card, transaction, movement, now } = input;
  const wallet = view.account(input.walletId);
  const isOwn = movement.account.accountId === card.accountId;
  const own = isOwn ? movement.account : view.account(card.accountId);
  if (own === undefined || wallet === undefined) return { refused: "NO_CARD_RECORD" };
  const payout = payoutIfDue({
    transactionId: input.payoutTransactionId,
    entryId: input.entryId,
    card,
    cards: view.rows(cardsOfAccount, card.accountId),
    account: own,
    wallet,
    now,
  });
  const account = payout === undefined ? own : { ...own, postedMinor: 0n };
  const movedWallet = isOwn ? walletAfter(wallet, own, payout !== undefined) : movement.account;
  const data = {
    ...moved(transaction, {
      cardBalanceMinor: account.postedMinor,
      ...(movedWallet === undefined ? {} : { walletBalanceMinor: movedWallet.postedMinor }),
    }),
    ...(payout === undefined ? {} : { payout: payout.payout }),
  };
  const told = numbered(input.counters, { eventType: input.eventType, data }, ...movement.told);
  const effects: Effects = {
    postings: [...movement.effects.postings, ...(payout?.effects.postings ?? [])],
    holds: movement.effects.holds,
    rows: [
      ...input.rows,
      ...movement.effects.rows,
      ...(payout?.effects.rows ?? []),
      update(cardCounters, told.counters),
    ],
    events: told.events,
  };
  const answer = {
    transaction,
    account,
    ...(movedWallet === undefined ? {} : { wallet: movedWallet }),
  };
  return { effects, answer, resourceId: transaction.transactionId };
}

function walletAfter(wallet: Account, paidOut: Account, isPaid: boolean): Account | undefined {
  return isPaid ? { ...wallet, postedMinor: wallet.postedMinor + paidOut.postedMinor } : undefined;
}
