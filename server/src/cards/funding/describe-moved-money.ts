import { formatAmount } from "../../foundation/money.ts";
import { type DescribedTransaction, describeTransaction } from "../../transactions/describe.ts";
import type { Transaction } from "../../transactions/transaction.ts";

/** What moving money answers, and tells in its event: the transaction and the balances it left. */
export interface DescribedMovedMoney extends DescribedTransaction {
  cardBalance: number;
  /** Where the wallet was moved too. */
  walletBalance?: number;
  /** Between which cards a transfer went. */
  sourceCardId?: string;
  beneficiaryCardId?: string;
}

export function describeMovedMoney(
  transaction: Transaction,
  after: { cardBalanceMinor: bigint; walletBalanceMinor?: bigint },
): DescribedMovedMoney {
  const balance = (minor: bigint): number => formatAmount(minor, transaction.billingCurrency);
  const { cardBalanceMinor, walletBalanceMinor } = after;
  // Added, not spread: what is added to a copy costs more than all else here, see decision 5.
  const answer: DescribedMovedMoney = Object.assign(describeTransaction(transaction), {
    cardBalance: balance(cardBalanceMinor),
  });
  if (walletBalanceMinor !== undefined) answer.walletBalance = balance(walletBalanceMinor);
  return answer;
}
