import { adviceOf } from "../authorization/remote/advices.ts";
import type { CardCounters, CardFacts } from "../cards/card.ts";
import { endIfExhausted } from "../cards/closing/exhausted.ts";
import { type Payout, payoutIfDue } from "../cards/closing/payout.ts";
import {
  type DescribedMovedMoney,
  describeMovedMoney,
} from "../cards/funding/describe-moved-money.ts";
import { cardCounters, cardTerms } from "../cards/kept-tables.ts";
import { numbered } from "../cards/numbering.ts";
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
  const left = accountsLeft(view, input);
  if (left === undefined) return { refused: "NO_CARD_RECORD" };
  const { account, wallet, payout } = left;
  const answer = { transaction, account, ...(wallet && { wallet }) };
  const described = describeCleared(answer);
  const data = payout === undefined ? described : { ...described, payout: payout.described };
  const end = endIfExhausted(view, card, account, input.counters, now);
  const sequenced = numbered(
    input.counters,
    { eventType: input.eventType, data },
    ...movement.furtherEvents.map(({ eventType, data }) => ({
      eventType,
      data: { ...data, cardBalance: described.cardBalance },
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

interface AccountsLeft {
  account: Account;
  /** Where the message or the payout has moved it. */
  wallet?: Account;
  payout?: Payout;
}

/** The card's account and the wallet, as the message leaves them and, if it is due, the payout after it. */
function accountsLeft(view: View, input: Finishing): AccountsLeft | undefined {
  const { card, movement, now } = input;
  const isOwn = movement.account.accountId === card.accountId;
  const own = isOwn ? movement.account : view.account(card.accountId);
  const wallet = isOwn ? view.account(input.walletId) : movement.account;
  if (own === undefined || wallet === undefined) return undefined;
  // Others of its account need not be looked at while it lives itself.
  const isAlive = view.row(cardTerms, card.cardId)?.status !== "Terminated";
  const payout = isAlive
    ? undefined
    : payoutIfDue({
        transactionId: input.payoutTransactionId,
        entryId: input.entryId,
        card,
        cards: view.keptIn(cardTerms, card.accountId),
        account: own,
        wallet,
        now,
      });
  if (payout === undefined) {
    const isWalletMoved = !isOwn && movement.effects.postings.length > 0;
    return isWalletMoved ? { account: own, wallet } : { account: own };
  }
  return {
    account: { ...own, postedMinor: 0n },
    wallet: { ...wallet, postedMinor: wallet.postedMinor + own.postedMinor },
    payout,
  };
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
