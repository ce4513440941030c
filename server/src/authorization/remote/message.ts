import type { Currency } from "../../foundation/currencies.ts";
import { formatAmount } from "../../foundation/money.ts";
import type { Merchant } from "../../transactions/transaction.ts";
import type { Purchase, PurchaseType } from "../purchase.ts";

export const adviceTypes = ["Settlement", "PartialReversal", "Reversal", "Refund"] as const;
/** What an organization is told of payments that it decided. */
export type AdviceType = (typeof adviceTypes)[number];

/** What is posted to an Authorization URL: a question, or an advice of what happened since. */
export interface RemoteMessage {
  requestType: PurchaseType | AdviceType;
  /** Names the message; the same each time it is sent. */
  requestId: string;
  transactionId: string;
  cardId: string;
  customerId: string;
  amount: number;
  currency: Currency;
  billingAmount: number;
  billingCurrency: Currency;
  merchant: Merchant | null;
  entryMode: string | null;
  createdAt: string;
}

/** The same purchase as a question, and as the advice that takes an approval back. */
export function messageOfPurchase(
  purchase: Purchase,
  { requestType, requestId }: Pick<RemoteMessage, "requestType" | "requestId">,
  now: Date,
): RemoteMessage {
  const { card, amountMinor, currency, billing } = purchase;
  return {
    requestType,
    requestId,
    transactionId: purchase.transactionId,
    cardId: card.cardId,
    customerId: card.customerId,
    amount: formatAmount(amountMinor, currency),
    currency,
    billingAmount: formatAmount(billing?.amountMinor ?? 0n, card.currency),
    billingCurrency: card.currency,
    merchant: purchase.merchant,
    entryMode: purchase.entryMode,
    createdAt: now.toISOString(),
  };
}
