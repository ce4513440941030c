import type { Merchant } from "../generated/openapi.ts";

/** What every message to an authorization address has. */
interface Message {
  /** Names the message; the same each time it is sent. */
  requestId: string;
  transactionId: string;
  cardId: string;
  customerId: string;
  /** In the merchant's currency. */
  amount: number;
  currency: string;
  /** In the card's currency. */
  billingAmount: number;
  billingCurrency: string;
  merchant: Merchant | null;
  entryMode: string | null;
  createdAt: string;
}

/** A purchase that waits for your decision. */
export interface AuthorizationRequest extends Message {
  requestType: "Authorization" | "PreAuthorization" | "CashWithdrawal";
}

/** What happened to a payment that you decided. It cannot be refused. */
export interface AuthorizationAdvice extends Message {
  requestType: "Settlement" | "PartialReversal" | "Reversal" | "Refund";
}

export interface AuthorizationDecision {
  decision: "Approve" | "Decline";
  /** Why it is declined: a code whose finality is TerminalFailure. 176 unless given. */
  responseCode?: string | undefined;
  /** Kept with the decision, up to 2 KB. */
  metadata?: Record<string, unknown> | undefined;
}

const QUESTIONS = ["Authorization", "PreAuthorization", "CashWithdrawal"];
const ADVICES = ["Settlement", "PartialReversal", "Reversal", "Refund"];

export const isQuestion = (value: unknown): value is AuthorizationRequest =>
  isMessage(value) && QUESTIONS.includes(value.requestType);

export const isAdvice = (value: unknown): value is AuthorizationAdvice =>
  isMessage(value) && ADVICES.includes(value.requestType);

function isMessage(value: unknown): value is { requestType: string } {
  return (
    typeof value === "object" &&
    value !== null &&
    "requestType" in value &&
    typeof value.requestType === "string"
  );
}
