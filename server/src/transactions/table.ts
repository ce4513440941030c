import { jsonArray, numberArray, textArray, timeArray } from "../db/arrays.ts";
import type { Table } from "../engine/table.ts";
import type { Transaction } from "./transaction.ts";

export const transactions: Table<Transaction> = {
  name: "transactions",
  idOf: (transaction) => transaction.transactionId,
  insert: (rows) => ({
    name: "transactions_insert",
    text: `
      insert into transactions (organization_id, transaction_id, card_id, customer_id, account_id, type,
        stage, approved, response_code, amount_minor, currency, billing_amount_minor, billing_currency,
        held_minor, settled_minor, reversed_minor, refunded_minor, over_captured, merchant, entry_mode,
        approval_code, network_reference, transfer_id, events, billing_rate,
        expires_at, decision, created_at, updated_at)
      select * from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[],
        $7::text[], $8::bool[], $9::text[], $10::bigint[], $11::text[], $12::bigint[], $13::text[],
        $14::bigint[], $15::bigint[], $16::bigint[], $17::bigint[], $18::bool[], $19::json[], $20::text[],
        $21::text[], $22::text[], $23::text[], $24::json[], $25::text[], $26::timestamptz[],
        $27::json[], $28::timestamptz[], $29::timestamptz[])`,
    values: [
      textArray(rows.map((t) => t.organizationId)),
      textArray(rows.map((t) => t.transactionId)),
      textArray(rows.map((t) => t.cardId)),
      textArray(rows.map((t) => t.customerId)),
      textArray(rows.map((t) => t.accountId)),
      textArray(rows.map((t) => t.type)),
      textArray(rows.map((t) => t.stage)),
      textArray(rows.map((t) => String(t.approved))),
      textArray(rows.map((t) => t.responseCode)),
      numberArray(rows.map((t) => t.amountMinor)),
      textArray(rows.map((t) => t.currency)),
      numberArray(rows.map((t) => t.billingAmountMinor)),
      textArray(rows.map((t) => t.billingCurrency)),
      numberArray(rows.map((t) => t.heldMinor)),
      numberArray(rows.map((t) => t.settledMinor)),
      numberArray(rows.map((t) => t.reversedMinor)),
      numberArray(rows.map((t) => t.refundedMinor)),
      textArray(rows.map((t) => String(t.overCaptured))),
      jsonArray(rows.map((t) => t.merchant)),
      textArray(rows.map((t) => t.entryMode)),
      textArray(rows.map((t) => t.approvalCode)),
      textArray(rows.map((t) => t.networkReference)),
      textArray(rows.map((t) => t.transferId)),
      jsonArray(rows.map((t) => t.events)),
      textArray(rows.map((t) => t.billingRate)),
      timeArray(rows.map((t) => t.expiresAt)),
      jsonArray(rows.map((t) => t.decision)),
      timeArray(rows.map((t) => t.createdAt)),
      timeArray(rows.map((t) => t.updatedAt)),
    ],
  }),
};
