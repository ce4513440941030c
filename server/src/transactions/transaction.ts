import type { Currency } from "../foundation/currencies.ts";
import { timeOf } from "../foundation/ids.ts";

export const transactionTypes = [
  "Authorization",
  "PreAuthorization",
  "CashWithdrawal",
  "Settlement",
  "Refund",
  "InitialFunding",
  "TopUp",
  "Withdrawal",
  "Transfer",
  "CrossBorderCharge",
  "Regularization",
  "TerminationPayout",
] as const;
export type TransactionType = (typeof transactionTypes)[number];

/** Whether it began with a decision, rather than with money that moved at once. */
export const isPurchaseType = (type: TransactionType): boolean =>
  type === "Authorization" || type === "PreAuthorization" || type === "CashWithdrawal";

export const transactionStages = [
  "Authorization",
  "Settlement",
  "Reversal",
  "Refund",
  "Declined",
  "Expired",
  "Completed",
] as const;
export type TransactionStage = (typeof transactionStages)[number];

/** How a merchant's id is written. */
export const MID_PATTERN = /^[A-Za-z0-9]{1,15}$/;

export interface Merchant {
  mid: string;
  mcc: string;
  name: string;
  city: string;
  country: string;
}

/** One message of the network in the life of a payment. */
export interface TransactionEvent {
  requestType: string;
  amount: number;
  responseCode: string;
  at: string;
}

/** An authorization's decision as it is kept: see authorization/trace. */
export interface PackedDecision {
  model: "ServiceManaged" | "CustomerManaged";
  facts: unknown[];
  /** One letter for each check. */
  results: string;
  /** Tenths of microseconds for each check. */
  times: number[];
  remote?: object;
}

/** One payment's whole life, as it is stored. */
export interface Transaction {
  transactionId: string;
  cardId: string;
  customerId: string;
  accountId: string;
  type: TransactionType;
  stage: TransactionStage;
  approved: boolean;
  responseCode: string;
  amountMinor: bigint;
  currency: Currency;
  billingAmountMinor: bigint;
  billingCurrency: Currency;
  heldMinor: bigint;
  settledMinor: bigint;
  reversedMinor: bigint;
  refundedMinor: bigint;
  overCaptured: boolean;
  merchant: Merchant | null;
  entryMode: string | null;
  approvalCode: string | null;
  networkReference: string | null;
  transferId: string | null;
  events: TransactionEvent[];
  /** Major units of the billing currency for one of the payment's; null where nothing was converted. */
  billingRate: string | null;
  expiresAt: Date | null;
  decision: PackedDecision | null;
  /** The time of its id, by which lists are ordered and filtered; it is decided a moment later. */
  createdAt: Date;
  updatedAt: Date;
}

/** When it was decided, rather than when it arrived: the daily limit counts the day of the approval. */
export const decidedAt = ({ events, createdAt }: Transaction): Date =>
  new Date(events[0]?.at ?? createdAt);

/** Money that moved between a wallet and cards: done the moment it is recorded. */
export function completed(move: {
  transactionId: string;
  card: { cardId: string; customerId: string; accountId: string; currency: Currency };
  type: TransactionType;
  amountMinor: bigint;
  transferId?: string;
  now: Date;
}): Transaction {
  const { transactionId, card, type, amountMinor, now } = move;
  return {
    transactionId,
    cardId: card.cardId,
    customerId: card.customerId,
    accountId: card.accountId,
    type,
    stage: "Completed",
    approved: true,
    responseCode: "000",
    amountMinor,
    currency: card.currency,
    billingAmountMinor: amountMinor,
    billingCurrency: card.currency,
    heldMinor: 0n,
    settledMinor: 0n,
    reversedMinor: 0n,
    refundedMinor: 0n,
    overCaptured: false,
    merchant: null,
    entryMode: null,
    approvalCode: null,
    networkReference: null,
    transferId: move.transferId ?? null,
    events: [],
    billingRate: null,
    expiresAt: null,
    decision: null,
    createdAt: timeOf(transactionId),
    updatedAt: now,
  };
}
