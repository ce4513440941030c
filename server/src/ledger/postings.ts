import { copyInto } from "../db/copy.ts";
import type { Statement } from "../db/lane.ts";
import type { Currency } from "../foundation/currencies.ts";

/** Why money moved. */
export type PostingKind =
  | "Deposit"
  | "Adjustment"
  | "InitialFunding"
  | "TopUp"
  | "Withdrawal"
  | "Transfer"
  | "Settlement"
  | "Refund"
  | "CrossBorderCharge"
  | "Regularization"
  | "TerminationPayout";

/** Moves an amount from one account to another: a debit and the equal credit, never one without the other. */
export interface Posting {
  organizationId: string;
  /** The postings of one business event share it. */
  entryId: string;
  kind: PostingKind;
  debitAccountId: string;
  creditAccountId: string;
  amountMinor: bigint;
  currency: Currency;
  transactionId?: string | undefined;
  reference?: string | undefined;
}

/** A posting with the posted balances it left behind, where the account keeps one. */
export interface BookedPosting extends Posting {
  debitBalanceMinor: bigint | null;
  creditBalanceMinor: bigint | null;
}

const copyPostings = copyInto<BookedPosting & { createdAt: Date }>("postings", {
  organization_id: (p) => p.organizationId,
  entry_id: (p) => p.entryId,
  kind: (p) => p.kind,
  debit_account_id: (p) => p.debitAccountId,
  credit_account_id: (p) => p.creditAccountId,
  amount_minor: (p) => p.amountMinor,
  currency: (p) => p.currency,
  debit_balance_minor: (p) => p.debitBalanceMinor,
  credit_balance_minor: (p) => p.creditBalanceMinor,
  transaction_id: (p) => p.transactionId,
  reference: (p) => p.reference,
  created_at: (p) => p.createdAt,
});

export const insertPostings = (postings: BookedPosting[], createdAt: Date): Statement =>
  copyPostings(postings.map((posting) => ({ ...posting, createdAt })));
