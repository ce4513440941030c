import type { Transaction } from "../api/types.ts";

const TYPES: Record<string, string> = {
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

export const typeName = (type: string): string => TYPES[type] ?? type;

export const merchantOrType = ({ merchant, type }: Transaction): string =>
  merchant === null || merchant.name === "" ? typeName(type) : merchant.name;

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
