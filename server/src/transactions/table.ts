import { jsonArray, numberArray, textArray, timeArray } from "../db/arrays.ts";
import { copyInto, json } from "../db/copy.ts";
import { keyColumns, type Load, type Owned, type Table } from "../engine/table.ts";
import { messageKey } from "./message-key.ts";
import type { Transaction } from "./transaction.ts";

/** Every column of a transaction under the name it has in the code; for all that reads transactions. */
export const TRANSACTION_COLUMNS = `
  t.organization_id as "organizationId", t.transaction_id as "transactionId", t.card_id as "cardId",
  t.customer_id as "customerId", t.account_id as "accountId", t.type, t.stage, t.approved,
  t.response_code as "responseCode", t.amount_minor as "amountMinor", t.currency,
  t.billing_amount_minor as "billingAmountMinor", t.billing_currency as "billingCurrency",
  t.held_minor as "heldMinor", t.settled_minor as "settledMinor", t.reversed_minor as "reversedMinor",
  t.refunded_minor as "refundedMinor", t.over_captured as "overCaptured", t.merchant,
  t.entry_mode as "entryMode", t.approval_code as "approvalCode",
  t.network_reference as "networkReference", t.transfer_id as "transferId", t.events,
  t.billing_rate as "billingRate", t.expires_at as "expiresAt", t.decision,
  t.created_at as "createdAt", t.updated_at as "updatedAt"`;

export const transactions: Table<Transaction> = {
  name: "transactions",
  idOf: (transaction) => transaction.transactionId,
  insert: copyInto<Owned<Transaction>>("transactions", {
    organization_id: (t) => t.organizationId,
    transaction_id: (t) => t.transactionId,
    card_id: (t) => t.cardId,
    customer_id: (t) => t.customerId,
    account_id: (t) => t.accountId,
    type: (t) => t.type,
    stage: (t) => t.stage,
    approved: (t) => t.approved,
    response_code: (t) => t.responseCode,
    amount_minor: (t) => t.amountMinor,
    currency: (t) => t.currency,
    billing_amount_minor: (t) => t.billingAmountMinor,
    billing_currency: (t) => t.billingCurrency,
    held_minor: (t) => t.heldMinor,
    settled_minor: (t) => t.settledMinor,
    reversed_minor: (t) => t.reversedMinor,
    refunded_minor: (t) => t.refundedMinor,
    over_captured: (t) => t.overCaptured,
    merchant: (t) => json(t.merchant),
    entry_mode: (t) => t.entryMode,
    approval_code: (t) => t.approvalCode,
    network_reference: (t) => t.networkReference,
    transfer_id: (t) => t.transferId,
    events: (t) => json(t.events),
    billing_rate: (t) => t.billingRate,
    expires_at: (t) => t.expiresAt,
    decision: (t) => json(t.decision),
    created_at: (t) => t.createdAt,
    updated_at: (t) => t.updatedAt,
  }),
  update: (rows) => ({
    name: "transactions_update",
    text: `
      update transactions t set stage = k.stage, held_minor = k.held_minor,
             settled_minor = k.settled_minor, reversed_minor = k.reversed_minor,
             refunded_minor = k.refunded_minor, over_captured = k.over_captured, events = k.events,
             decision = k.decision, updated_at = k.updated_at
        from unnest($1::text[], $2::text[], $3::text[], $4::bigint[], $5::bigint[], $6::bigint[],
                    $7::bigint[], $8::bool[], $9::json[], $10::json[], $11::timestamptz[])
             as k(organization_id, transaction_id, stage, held_minor, settled_minor, reversed_minor,
                  refunded_minor, over_captured, events, decision, updated_at)
       where t.organization_id = k.organization_id and t.transaction_id = k.transaction_id`,
    values: [
      textArray(rows.map((t) => t.organizationId)),
      textArray(rows.map((t) => t.transactionId)),
      textArray(rows.map((t) => t.stage)),
      numberArray(rows.map((t) => t.heldMinor)),
      numberArray(rows.map((t) => t.settledMinor)),
      numberArray(rows.map((t) => t.reversedMinor)),
      numberArray(rows.map((t) => t.refundedMinor)),
      textArray(rows.map((t) => String(t.overCaptured))),
      jsonArray(rows.map((t) => t.events)),
      jsonArray(rows.map((t) => t.decision)),
      timeArray(rows.map((t) => t.updatedAt)),
    ],
  }),
};

export const transactionById: Load<Transaction> = {
  table: transactions,
  keyOf: (transaction) => transaction.transactionId,
  statement: (keys) => ({
    name: "transactions_by_id",
    text: `
      select ${TRANSACTION_COLUMNS} from unnest($1::text[], $2::text[]) as k(organization_id, id)
       cross join lateral (select * from transactions
         where organization_id = k.organization_id and transaction_id = k.id limit 1) t`,
    values: keyColumns(keys),
  }),
};

/** A name that the network gave to two messages is no repetition: whoever sent the second must hear of it. */
export const ANOTHER_MESSAGE = {
  refused: "DUPLICATE_TRANSACTION",
  message: "The network reference names another message",
} as const;

/** The payment that a message of the network began. */
export const byNetworkReference: Load<Transaction> = {
  table: transactions,
  keyOf: ({ networkReference, type }) => messageKey(type, networkReference ?? ""),
  statement: (keys) => ({
    name: "transactions_of_network_reference",
    // The organization is compared in a way that no index serves: a plan made while the table was empty
    // might take one that leads with it, and then look through all payments of an organization.
    text: `
      select ${TRANSACTION_COLUMNS}
        from unnest($1::text[], $2::text[], $3::text[]) as k(organization_id, type, network_reference)
       cross join lateral (select * from transactions
         where network_reference = k.network_reference and type = k.type
           and organization_id || '' = k.organization_id limit 1) t`,
    values: [
      textArray(keys.map((key) => key.organizationId)),
      textArray(keys.map(({ id }) => id.slice(0, id.indexOf(" ")))),
      textArray(keys.map(({ id }) => id.slice(id.indexOf(" ") + 1))),
    ],
  }),
};
