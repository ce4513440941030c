import { DAY_MS, isoTime } from "../foundation/dates.ts";
import { timeOf } from "../foundation/ids.ts";
import { formatAmount } from "../foundation/money.ts";
import type { Transaction } from "../transactions/transaction.ts";
import type { Assessment } from "./assessment.ts";
import type { Purchase } from "./purchase.ts";
import { spendingTime } from "./spending.ts";
import { packDecision } from "./trace.ts";

/** The transaction that a decided purchase begins, with all that led to the decision. */
export function record(
  purchase: Purchase,
  { counters, funding, facts, evaluation, remote, now }: Assessment,
  outcome: Pick<Transaction, "stage" | "responseCode" | "heldMinor" | "approvalCode">,
): Transaction {
  const { card, amountMinor, currency, requestType, billing } = purchase;
  const { stage, responseCode, heldMinor, approvalCode } = outcome;
  const approved = stage !== "Declined";
  const createdAt = timeOf(purchase.transactionId);
  const amount = formatAmount(amountMinor, currency);
  const at = isoTime(spendingTime(counters, now));
  return {
    transactionId: purchase.transactionId,
    cardId: card.cardId,
    customerId: card.customerId,
    accountId: funding.accountId,
    type: requestType,
    stage,
    approved,
    responseCode,
    amountMinor,
    currency,
    billingAmountMinor: billing?.amountMinor ?? 0n,
    billingCurrency: card.currency,
    heldMinor,
    settledMinor: 0n,
    reversedMinor: 0n,
    refundedMinor: 0n,
    overCaptured: false,
    merchant: purchase.merchant,
    entryMode: purchase.entryMode,
    approvalCode,
    networkReference: purchase.networkReference,
    transferId: null,
    events: [{ requestType, amount, responseCode, at }],
    billingRate: billing?.rate ?? null,
    expiresAt: approved ? new Date(createdAt.getTime() + purchase.holdDays * DAY_MS) : null,
    decision: packDecision(
      purchase.managed ? "CustomerManaged" : "ServiceManaged",
      facts,
      evaluation,
      remote,
    ),
    createdAt,
    updatedAt: now,
  };
}
