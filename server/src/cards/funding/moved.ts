import { formatAmount } from "../../foundation/money.ts";
import { type DescribedTransaction, describeTransaction } from "../../transactions/describe.ts";
import type { Transaction } from "../../transactions/transaction.ts";

/** What moving money answers, and tells in its event: the transaction and the balances it left. */
export interface Moved extends DescribedTransaction {
  cardBalance: number;
  /** Where the wallet was moved too. */
  walletBalance?: number;
  /** Between which cards a transfer went. */
  sourceCardId?: string;
  beneficiaryCardId?: string;
}

export function moved(
  transaction: Transaction,
  after: { cardBalanceMinor: bigint; walletBalanceMinor?: bigint },
): Moved {
  const balance = (minor: bigint): number => formatAmount(minor, transaction.billingCurrency);
  const { cardBalanceMinor, walletBalanceMinor } = after;
  const answer: Moved = {
    ...describeTransaction(transaction),
    cardBalance: balance(cardBalanceMinor),
  };
  if (walletBalanceMinor !== undefined) answer.walletBalance = balance(walletBalanceMinor);
  return answer;
}
