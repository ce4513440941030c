import { bytesArray, jsonArray, numberArray, textArray, timeArray } from "../db/arrays.ts";
import type { Load, Table } from "../engine/table.ts";
import { keyColumns } from "../engine/table.ts";
import type { Card, CardCounters, CardSecrets } from "./card.ts";

/** Every column of a card under the name it has in the code; for all that reads cards. */
export const CARD_COLUMNS = `
  c.organization_id as "organizationId", c.card_id as "cardId", c.customer_id as "customerId",
  c.account_id as "accountId", c.type, c.status, c.programme_id as "programmeId", c.currency, c.brand,
  c.masked_pan as "maskedPan", c.expiry_month as "expiryMonth", c.expiry_year as "expiryYear",
  c.name_on_card as "nameOnCard", c.contactless_payment as "contactlessPayment",
  c.daily_limit_minor as "dailyLimitMinor", c.transaction_limit_minor as "transactionLimitMinor",
  c.white_listed_mccs as "whiteListedMccs", c.black_listed_mccs as "blackListedMccs",
  c.billing_address as "billingAddress", c.shared_balance as "sharedBalance",
  c.swipe_count as "swipeCount", c.metadata, c.termination_reason as "terminationReason",
  c.created_at as "createdAt", c.terminated_at as "terminatedAt"`;

export const cards: Table<Card> = {
  name: "cards",
  idOf: (card) => card.cardId,
  insert: (rows) => ({
    name: "cards_insert",
    text: `
      insert into cards (organization_id, card_id, customer_id, account_id, type, status, programme_id,
        currency, brand, masked_pan, expiry_month, expiry_year, name_on_card, contactless_payment,
        daily_limit_minor, transaction_limit_minor, white_listed_mccs, black_listed_mccs, billing_address,
        shared_balance, swipe_count, metadata, termination_reason, created_at, terminated_at)
      select * from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[],
        $7::text[], $8::text[], $9::text[], $10::text[], $11::int2[], $12::int2[], $13::text[],
        $14::bool[], $15::bigint[], $16::bigint[], $17::jsonb[], $18::jsonb[], $19::jsonb[], $20::bool[],
        $21::int[], $22::jsonb[], $23::text[], $24::timestamptz[], $25::timestamptz[])`,
    values: [
      textArray(rows.map((c) => c.organizationId)),
      textArray(rows.map((c) => c.cardId)),
      textArray(rows.map((c) => c.customerId)),
      textArray(rows.map((c) => c.accountId)),
      textArray(rows.map((c) => c.type)),
      textArray(rows.map((c) => c.status)),
      textArray(rows.map((c) => c.programmeId)),
      textArray(rows.map((c) => c.currency)),
      textArray(rows.map((c) => c.brand)),
      textArray(rows.map((c) => c.maskedPan)),
      numberArray(rows.map((c) => c.expiryMonth)),
      numberArray(rows.map((c) => c.expiryYear)),
      textArray(rows.map((c) => c.nameOnCard)),
      textArray(rows.map((c) => String(c.contactlessPayment))),
      numberArray(rows.map((c) => c.dailyLimitMinor)),
      numberArray(rows.map((c) => c.transactionLimitMinor)),
      jsonArray(rows.map((c) => c.whiteListedMccs)),
      jsonArray(rows.map((c) => c.blackListedMccs)),
      jsonArray(rows.map((c) => c.billingAddress)),
      textArray(rows.map((c) => String(c.sharedBalance))),
      numberArray(rows.map((c) => c.swipeCount)),
      jsonArray(rows.map((c) => c.metadata)),
      textArray(rows.map((c) => c.terminationReason)),
      timeArray(rows.map((c) => c.createdAt)),
      timeArray(rows.map((c) => c.terminatedAt)),
    ],
  }),
  update: (rows) => ({
    name: "cards_update",
    text: `
      update cards c set status = k.status, contactless_payment = k.contactless_payment,
             daily_limit_minor = k.daily_limit_minor, transaction_limit_minor = k.transaction_limit_minor,
             white_listed_mccs = k.white_listed_mccs, black_listed_mccs = k.black_listed_mccs,
             shared_balance = k.shared_balance, metadata = k.metadata,
             termination_reason = k.termination_reason, terminated_at = k.terminated_at
        from unnest($1::text[], $2::text[], $3::text[], $4::bool[], $5::bigint[], $6::bigint[],
                    $7::jsonb[], $8::jsonb[], $9::bool[], $10::jsonb[], $11::text[], $12::timestamptz[])
             as k(organization_id, card_id, status, contactless_payment, daily_limit_minor,
                  transaction_limit_minor, white_listed_mccs, black_listed_mccs, shared_balance, metadata,
                  termination_reason, terminated_at)
       where c.organization_id = k.organization_id and c.card_id = k.card_id`,
    values: [
      textArray(rows.map((c) => c.organizationId)),
      textArray(rows.map((c) => c.cardId)),
      textArray(rows.map((c) => c.status)),
      textArray(rows.map((c) => String(c.contactlessPayment))),
      numberArray(rows.map((c) => c.dailyLimitMinor)),
      numberArray(rows.map((c) => c.transactionLimitMinor)),
      jsonArray(rows.map((c) => c.whiteListedMccs)),
      jsonArray(rows.map((c) => c.blackListedMccs)),
      textArray(rows.map((c) => String(c.sharedBalance))),
      jsonArray(rows.map((c) => c.metadata)),
      textArray(rows.map((c) => c.terminationReason)),
      timeArray(rows.map((c) => c.terminatedAt)),
    ],
  }),
};

export const cardById: Load<Card> = {
  table: cards,
  keyOf: (card) => card.cardId,
  statement: (keys) => ({
    name: "cards_by_id",
    text: `
      select ${CARD_COLUMNS} from unnest($1::text[], $2::text[]) as k(organization_id, id)
       cross join lateral (select * from cards
         where organization_id = k.organization_id and card_id = k.id limit 1) c`,
    values: keyColumns(keys),
  }),
};

/** All cards that spend from an account. `offset 0` keeps this a look-up for each key, never a join. */
export const cardsOfAccount: Load<Card> = {
  table: cards,
  keyOf: (card) => card.accountId,
  statement: (keys) => ({
    name: "cards_of_account",
    text: `
      select ${CARD_COLUMNS} from unnest($1::text[], $2::text[]) as k(organization_id, id)
       cross join lateral (select * from cards
         where organization_id = k.organization_id and account_id = k.id offset 0) c`,
    values: keyColumns(keys),
  }),
};

export const cardCounters: Table<CardCounters> = {
  name: "card_counters",
  idOf: (counters) => counters.cardId,
  insert: (rows) => ({
    name: "card_counters_insert",
    text: `
      insert into card_counters (organization_id, card_id, event_sequence, swipes_used, spent_day,
        spent_minor, white_listed_mids)
      select * from unnest($1::text[], $2::text[], $3::bigint[], $4::int[], $5::int[], $6::bigint[],
                           $7::int[])`,
    values: counterColumns(rows),
  }),
  update: (rows) => ({
    name: "card_counters_update",
    text: `
      update card_counters c set event_sequence = k.event_sequence, swipes_used = k.swipes_used,
             spent_day = k.spent_day, spent_minor = k.spent_minor, white_listed_mids = k.white_listed_mids
        from unnest($1::text[], $2::text[], $3::bigint[], $4::int[], $5::int[], $6::bigint[], $7::int[])
             as k(organization_id, card_id, event_sequence, swipes_used, spent_day, spent_minor,
                  white_listed_mids)
       where c.organization_id = k.organization_id and c.card_id = k.card_id`,
    values: counterColumns(rows),
  }),
};

const counterColumns = (rows: (CardCounters & { organizationId: string })[]): string[] => [
  textArray(rows.map((c) => c.organizationId)),
  textArray(rows.map((c) => c.cardId)),
  numberArray(rows.map((c) => c.eventSequence)),
  numberArray(rows.map((c) => c.swipesUsed)),
  numberArray(rows.map((c) => c.spentDay)),
  numberArray(rows.map((c) => c.spentMinor)),
  numberArray(rows.map((c) => c.whiteListedMids)),
];

const COUNTER_COLUMNS = `
  c.organization_id as "organizationId", c.card_id as "cardId", c.event_sequence as "eventSequence",
  c.swipes_used as "swipesUsed", c.spent_day as "spentDay", c.spent_minor as "spentMinor",
  c.white_listed_mids as "whiteListedMids"`;

export const countersOfCard: Load<CardCounters> = {
  table: cardCounters,
  keyOf: (counters) => counters.cardId,
  statement: (keys) => ({
    name: "card_counters_of_card",
    text: `
      select ${COUNTER_COLUMNS} from unnest($1::text[], $2::text[]) as k(organization_id, id)
       cross join lateral (select * from card_counters
         where organization_id = k.organization_id and card_id = k.id limit 1) c`,
    values: keyColumns(keys),
  }),
};

/** The counters of all cards that spend from an account, each of them to be found by its card. */
export const countersOfAccount: Load<CardCounters> = {
  table: cardCounters,
  keyOf: (counters) => counters.cardId,
  statement: (keys) => ({
    name: "card_counters_of_account",
    text: `
      select ${COUNTER_COLUMNS} from unnest($1::text[], $2::text[]) as k(organization_id, id)
       cross join lateral (select * from cards
         where organization_id = k.organization_id and account_id = k.id offset 0) o
       cross join lateral (select * from card_counters
         where organization_id = o.organization_id and card_id = o.card_id limit 1) c`,
    values: keyColumns(keys),
  }),
};

/** Written once, with the card. */
export const cardSecrets: Table<CardSecrets> = {
  name: "card_secrets",
  idOf: (secrets) => secrets.cardId,
  insert: (rows) => ({
    name: "card_secrets_insert",
    text: `
      insert into card_secrets (organization_id, card_id, pan_sealed, pan_hash, pan_hash_key, cvv_key)
      select * from unnest($1::text[], $2::text[], $3::bytea[], $4::bytea[], $5::int[], $6::int[])`,
    values: [
      textArray(rows.map((c) => c.organizationId)),
      textArray(rows.map((c) => c.cardId)),
      bytesArray(rows.map((c) => c.panSealed)),
      bytesArray(rows.map((c) => c.panHash)),
      numberArray(rows.map((c) => c.panHashKey)),
      numberArray(rows.map((c) => c.cvvKey)),
    ],
  }),
};
