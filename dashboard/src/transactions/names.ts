import type { Transaction } from "@florin/sdk";
import { formatMoney } from "../ui/money.tsx";

const TYPES: Record<Transaction["type"], string> = {
  Authorization: "Purchase",
  PreAuthorization: "Pre-authorization",
  CashWithdrawal: "Cash withdrawal",
  Settlement: "Force post",
  Refund: "Refund",
  InitialFunding: "Initial funding",
  TopUp: "Top-up",
  Withdrawal: "Withdrawal",
  Transfer: "Transfer",
  CrossBorderCharge: "Cross-border charge",
  Regularization: "Regularization",
  TerminationPayout: "Payout at termination",
};

export const TRANSACTION_TYPES = Object.entries(TYPES).map(([value, label]) => ({ value, label }));

const isType = (text: string): text is Transaction["type"] => Object.hasOwn(TYPES, text);

export const typeName = (type: string): string => (isType(type) ? TYPES[type] : type);

const STAGES: Record<Transaction["stage"], string> = {
  Authorization: "Authorized",
  Settlement: "Settled",
  Reversal: "Reversed",
  Refund: "Refunded",
  Declined: "Declined",
  Expired: "Expired",
  Completed: "Completed",
};

export const stageName = (stage: Transaction["stage"]): string => STAGES[stage];

/** In the words of the badges in the list. */
export const TRANSACTION_STAGES = Object.entries(STAGES).map(([value, label]) => ({
  value,
  label,
}));

export const merchantOrType = ({ merchant, type }: Transaction): string =>
  merchant === null || merchant.name === "" ? typeName(type) : merchant.name;

type Amounts = Pick<
  Transaction,
  "billingAmount" | "billingCurrency" | "settledAmount" | "refundedAmount"
>;

/** How much was settled or given back in the end, where that is not what was asked for. */
export function outcomeOf(amounts: Amounts): string | undefined {
  const { billingAmount, billingCurrency, settledAmount, refundedAmount } = amounts;
  const [moved, word] =
    refundedAmount > 0 ? [refundedAmount, "refunded"] : [settledAmount, "settled"];
  if (moved === 0 || moved === billingAmount) return undefined;
  return `${formatMoney(moved, billingCurrency)} ${word}`;
}

const REQUESTS: Record<string, string> = {
  Authorization: "Authorized",
  PreAuthorization: "Pre-authorized",
  CashWithdrawal: "Cash authorized",
  Settlement: "Settled",
  PartialReversal: "Partly reversed",
  Reversal: "Reversed",
  Refund: "Refunded",
  Expiry: "Expired",
};

export const requestName = (requestType: string): string =>
  REQUESTS[requestType] ?? typeName(requestType);
