import { numberArray, textArray } from "../db/arrays.ts";
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

export function insertPostings(postings: BookedPosting[], now: Date): Statement {
  return {
    name: "postings_insert",
    text: `
      insert into postings (organization_id, entry_id, kind, debit_account_id, credit_account_id,
        amount_minor, currency, debit_balance_minor, credit_balance_minor, transaction_id, reference,
        created_at)
      select k.*, $12 from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[],
        $6::bigint[], $7::text[], $8::bigint[], $9::bigint[], $10::text[], $11::text[]) as k`,
    values: [
      textArray(postings.map((p) => p.organizationId)),
      textArray(postings.map((p) => p.entryId)),
      textArray(postings.map((p) => p.kind)),
      textArray(postings.map((p) => p.debitAccountId)),
      textArray(postings.map((p) => p.creditAccountId)),
      numberArray(postings.map((p) => p.amountMinor)),
      textArray(postings.map((p) => p.currency)),
      numberArray(postings.map((p) => p.debitBalanceMinor)),
      numberArray(postings.map((p) => p.creditBalanceMinor)),
      textArray(postings.map((p) => p.transactionId ?? null)),
      textArray(postings.map((p) => p.reference ?? null)),
      now,
    ],
  };
}
