import type { Effects } from "../../engine/operation.ts";
import { insert } from "../../engine/table.ts";
import type { Account } from "../../ledger/accounts.ts";
import { transactions } from "../../transactions/table.ts";
import { completed } from "../../transactions/transaction.ts";
import type { Card, CardFacts } from "../card.ts";
import { type DescribedMovedMoney, describeMovedMoney } from "../funding/describe-moved-money.ts";

/**
 * What an account owes its wallet: all that it has, once none of its cards can spend it and nothing is
 * held any more. A credit that comes later has cured a negative balance by then, so the rest is owed.
 */
export function dueToWalletMinor(
  account: Pick<Account, "postedMinor" | "heldMinor">,
  cards: readonly Pick<Card, "status">[],
): bigint {
  const isClosed = cards.every(({ status }) => status === "Terminated");
  return isClosed && account.heldMinor === 0n && account.postedMinor > 0n
    ? account.postedMinor
    : 0n;
}

export interface PayoutFacts {
  transactionId: string;
  /** The entry of whatever made the money due: the payout is part of it. */
  entryId: string;
  /** The card that the record is kept with. */
  card: CardFacts;
  /** The account's cards, as they will be. */
  cards: readonly Pick<Card, "status">[];
  /** What the account will have, with everything but the payout done. */
  account: Pick<Account, "postedMinor" | "heldMinor">;
  wallet: Account;
  now: Date;
}

export interface Payout {
  effects: Required<Pick<Effects, "postings" | "rows">>;
  described: DescribedMovedMoney;
}

/** Pays out what is due, if anything; for every operation that may end the life of an account. */
export function payoutIfDue(facts: PayoutFacts): Payout | undefined {
  const { transactionId, entryId, card, wallet, now } = facts;
  const amountMinor = dueToWalletMinor(facts.account, facts.cards);
  if (amountMinor === 0n) return undefined;
  const type = "TerminationPayout";
  const transaction = completed({ transactionId, card, type, amountMinor, now });
  const posting = {
    entryId,
    kind: type,
    debitAccountId: card.accountId,
    creditAccountId: wallet.accountId,
    amountMinor,
    currency: card.currency,
    transactionId,
  } as const;
  return {
    effects: { postings: [posting], rows: [insert(transactions, transaction)] },
    described: describeMovedMoney(transaction, {
      cardBalanceMinor: 0n,
      walletBalanceMinor: wallet.postedMinor + amountMinor,
    }),
  };
}
