import { jsonArray, jsonList, numberArray, textArray, timeArray } from "../db/arrays.ts";
import { keyColumns, type Load, type Table } from "../engine/table.ts";
import type { Transaction, TransactionType } from "./transaction.ts";

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
  insert: (rows) => ({
    name: "transactions_insert",
    text: `
      insert into transactions (organization_id, transaction_id, card_id, customer_id, account_id, type,
        stage, approved, response_code, amount_minor, currency, billing_amount_minor, billing_currency,
        held_minor, settled_minor, reversed_minor, refunded_minor, over_captured, merchant, entry_mode,
        approval_code, network_reference, transfer_id, events, billing_rate,
        expires_at, decision, created_at, updated_at)
      select organization_id, transaction_id, card_id, customer_id, account_id, type, stage, approved,
             response_code, amount_minor, currency, billing_amount_minor, billing_currency, held_minor,
             settled_minor, reversed_minor, refunded_minor, over_captured, case merchant::text when 'null' then null else merchant end,
             entry_mode, approval_code, network_reference, transfer_id, events, billing_rate, expires_at,
             case decision::text when 'null' then null else decision end, created_at, updated_at
        from rows from (
          unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[],
                 $8::bool[], $9::text[], $10::bigint[], $11::text[], $12::bigint[], $13::text[],
                 $14::bigint[], $15::bigint[], $16::bigint[], $17::bigint[], $18::bool[]),
          json_array_elements($19::json),
          unnest($20::text[], $21::text[], $22::text[], $23::text[]),
          json_array_elements($24::json),
          unnest($25::text[], $26::timestamptz[]),
          json_array_elements($27::json),
          unnest($28::timestamptz[], $29::timestamptz[])
        ) as k(organization_id, transaction_id, card_id, customer_id, account_id, type, stage, approved,
               response_code, amount_minor, currency, billing_amount_minor, billing_currency, held_minor,
               settled_minor, reversed_minor, refunded_minor, over_captured, merchant, entry_mode,
               approval_code, network_reference, transfer_id, events, billing_rate, expires_at, decision,
               created_at, updated_at)`,
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
      jsonList(rows.map((t) => t.merchant)),
      textArray(rows.map((t) => t.entryMode)),
      textArray(rows.map((t) => t.approvalCode)),
      textArray(rows.map((t) => t.networkReference)),
      textArray(rows.map((t) => t.transferId)),
      jsonList(rows.map((t) => t.events)),
      textArray(rows.map((t) => t.billingRate)),
      timeArray(rows.map((t) => t.expiresAt)),
      jsonList(rows.map((t) => t.decision)),
      timeArray(rows.map((t) => t.createdAt)),
      timeArray(rows.map((t) => t.updatedAt)),
    ],
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

/** Names the message that began a payment. The type comes first, because it never has a blank. */
export const networkKey = (networkReference: string, type: TransactionType): string =>
  `${type} ${networkReference}`;

/** The payment that a message of the network began. */
export const byNetworkReference: Load<Transaction> = {
  table: transactions,
  keyOf: ({ networkReference, type }) => networkKey(networkReference ?? "", type),
  statement: (keys) => ({
    name: "transactions_by_network_reference",
    text: `
      select ${TRANSACTION_COLUMNS}
        from unnest($1::text[], $2::text[], $3::text[]) as k(organization_id, type, network_reference)
       cross join lateral (select * from transactions
         where organization_id = k.organization_id and network_reference = k.network_reference
           and type = k.type limit 1) t`,
    values: [
      textArray(keys.map((key) => key.organizationId)),
      textArray(keys.map(({ id }) => id.slice(0, id.indexOf(" ")))),
      textArray(keys.map(({ id }) => id.slice(id.indexOf(" ") + 1))),
    ],
  }),
};
