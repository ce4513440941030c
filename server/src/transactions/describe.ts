import { messageOf } from "../foundation/codes.ts";
import { isoTime } from "../foundation/dates.ts";
import { formatAmount } from "../foundation/money.ts";
import type { Transaction } from "./transaction.ts";

export type DescribedTransaction = ReturnType<typeof describeTransaction>;

/** A transaction as clients see it, in answers and in events. */
export function describeTransaction(transaction: Transaction) {
  const { currency, billingCurrency, transferId } = transaction;
  const inBilling = (minor: bigint): number => formatAmount(minor, billingCurrency);
  return {
    transactionId: transaction.transactionId,
    cardId: transaction.cardId,
    customerId: transaction.customerId,
    type: transaction.type,
    stage: transaction.stage,
    approved: transaction.approved,
    responseCode: transaction.responseCode,
    responseMessage: messageOf(transaction.responseCode),
    amount: formatAmount(transaction.amountMinor, currency),
    currency,
    billingAmount: inBilling(transaction.billingAmountMinor),
    billingCurrency,
    heldAmount: inBilling(transaction.heldMinor),
    settledAmount: inBilling(transaction.settledMinor),
    reversedAmount: inBilling(transaction.reversedMinor),
    refundedAmount: inBilling(transaction.refundedMinor),
    overCaptured: transaction.overCaptured,
    merchant: transaction.merchant,
    entryMode: transaction.entryMode,
    approvalCode: transaction.approvalCode,
    networkReference: transaction.networkReference,
    ...(transferId === null ? {} : { transferId }),
    events: transaction.events,
    createdAt: isoTime(transaction.createdAt),
    updatedAt: isoTime(transaction.updatedAt),
  };
}
