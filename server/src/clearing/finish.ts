import { adviceOf } from "../authorization/remote/advices.ts";
import type { CardCounters, CardFacts } from "../cards/card.ts";
import { endIfExhausted } from "../cards/closing/exhausted.ts";
import { payoutIfDue } from "../cards/closing/payout.ts";
import {
  type DescribedMovedMoney,
  describeMovedMoney,
} from "../cards/funding/describe-moved-money.ts";
import { numbered } from "../cards/numbering.ts";
import { cardCounters, cardsOfAccount } from "../cards/tables.ts";
import type { Decision, Effects } from "../engine/operation.ts";
import { type RowChange, update } from "../engine/table.ts";
import type { View } from "../engine/view.ts";
import type { Account } from "../ledger/accounts.ts";
import type { Transaction } from "../transactions/transaction.ts";
import type { Movement } from "./movement.ts";

/** What became of a payment, and the accounts it touched as they are now. */
export interface Cleared {
  transaction: Transaction;
  /** The card's own account. */
  account: Account;
  /** Where it was moved. */
  wallet?: Account;
  /** The payment had gone on since it was looked at, so nothing was done. */
  isStale?: boolean;
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
  /** What the message is about, in the billing currency. */
  amountMinor: bigint;
  rows: RowChange[];
  adviceId?: string | undefined;
  now: Date;
}

/** Puts the effects of a message together; an account that is thereby closed is paid out in the same entry. */
export function finish(view: View, input: Finishing): Decision<Cleared> {
  const { card, transaction, movement, now } = input;
  const isOwn = movement.account.accountId === card.accountId;
  const own = isOwn ? movement.account : view.account(card.accountId);
  const wallet = isOwn ? view.account(input.walletId) : movement.account;
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
  const walletAfter =
    payout === undefined
      ? wallet
      : { ...wallet, postedMinor: wallet.postedMinor + own.postedMinor };
  const isWalletMoved = payout !== undefined || (!isOwn && movement.effects.postings.length > 0);
  const answer = { transaction, account, ...(isWalletMoved ? { wallet: walletAfter } : {}) };
  const data = {
    ...describeCleared(answer),
    ...(payout === undefined ? {} : { payout: payout.payout }),
  };
  const { cardBalance } = data;
  const end = endIfExhausted(view, card, account, input.counters, now);
  const sequenced = numbered(
    input.counters,
    { eventType: input.eventType, data },
    ...movement.furtherEvents.map(({ eventType, data }) => ({
      eventType,
      data: { ...data, cardBalance },
    })),
    ...end.events,
  );
  const effects: Effects = {
    postings: [...movement.effects.postings, ...(payout?.effects.postings ?? [])],
    holds: movement.effects.holds,
    rows: [
      ...input.rows,
      ...movement.effects.rows,
      ...(payout?.effects.rows ?? []),
      ...end.rows,
      ...advised(input),
      update(cardCounters, sequenced.counters),
    ],
    events: sequenced.events,
  };
  return { effects, answer, resourceId: transaction.transactionId };
}

function advised({ adviceId, transaction, amountMinor, now }: Finishing): RowChange[] {
  if (adviceId === undefined) return [];
  return adviceOf(transaction, { requestId: adviceId, billingAmountMinor: amountMinor }, now);
}

/** What a message answers, and tells in its event. */
export function describeCleared({ transaction, account, wallet }: Cleared): DescribedMovedMoney {
  return describeMovedMoney(transaction, {
    cardBalanceMinor: account.postedMinor,
    ...(wallet === undefined ? {} : { walletBalanceMinor: wallet.postedMinor }),
  });
}
