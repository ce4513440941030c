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

const copyPostings = copyInto<{ posting: BookedPosting; createdAt: Date }>("postings", {
  organization_id: ({ posting }) => posting.organizationId,
  entry_id: ({ posting }) => posting.entryId,
  kind: ({ posting }) => posting.kind,
  debit_account_id: ({ posting }) => posting.debitAccountId,
  credit_account_id: ({ posting }) => posting.creditAccountId,
  amount_minor: ({ posting }) => posting.amountMinor,
  currency: ({ posting }) => posting.currency,
  debit_balance_minor: ({ posting }) => posting.debitBalanceMinor,
  credit_balance_minor: ({ posting }) => posting.creditBalanceMinor,
  transaction_id: ({ posting }) => posting.transactionId,
  reference: ({ posting }) => posting.reference,
  created_at: (row) => row.createdAt,
});

export const insertPostings = (postings: BookedPosting[], createdAt: Date): Statement =>
  copyPostings(postings.map((posting) => ({ posting, createdAt })));
