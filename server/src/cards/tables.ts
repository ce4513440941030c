import { jsonArray, numberArray, textArray, timeArray } from "../db/arrays.ts";
import { copyInto, json } from "../db/copy.ts";
import { keyColumns, type Load, mirrorIn, type Owned, type Table } from "../engine/table.ts";
import type { Card, CardSecrets } from "./card.ts";
import { cardTerms, termsOf } from "./kept-tables.ts";

/** Every column of a card under the name it has in the code; for all that reads cards. */
export const CARD_COLUMNS = `
  c.organization_id as "organizationId", c.card_id as "cardId", c.customer_id as "customerId",
  c.account_id as "accountId", c.type, c.status, c.programme_id as "programmeId", c.currency, c.brand,
  c.masked_pan as "maskedPan", c.expiry_month as "expiryMonth", c.expiry_year as "expiryYear",
  c.name_on_card as "nameOnCard", c.contactless_payment as "contactlessPayment",
  c.daily_limit_minor as "dailyLimitMinor", c.transaction_limit_minor as "transactionLimitMinor",
  c.white_listed_mccs as "whiteListedMccs", c.black_listed_mccs as "blackListedMccs",
  c.billing_address as "billingAddress", c.shared_balance as "sharedBalance",
  c.is_guest as "isGuest", c.swipe_count as "swipeCount", c.metadata, c.termination_reason as "terminationReason",
  c.created_at as "createdAt", c.terminated_at as "terminatedAt"`;

export const cards: Table<Card> = {
  name: "cards",
  idOf: (card) => card.cardId,
  mirror: mirrorIn(cardTerms, termsOf),
  insert: copyInto<Owned<Card>>("cards", {
    organization_id: (c) => c.organizationId,
    card_id: (c) => c.cardId,
    customer_id: (c) => c.customerId,
    account_id: (c) => c.accountId,
    type: (c) => c.type,
    status: (c) => c.status,
    programme_id: (c) => c.programmeId,
    currency: (c) => c.currency,
    brand: (c) => c.brand,
    masked_pan: (c) => c.maskedPan,
    expiry_month: (c) => c.expiryMonth,
    expiry_year: (c) => c.expiryYear,
    name_on_card: (c) => c.nameOnCard,
    contactless_payment: (c) => c.contactlessPayment,
    daily_limit_minor: (c) => c.dailyLimitMinor,
    transaction_limit_minor: (c) => c.transactionLimitMinor,
    white_listed_mccs: (c) => json(c.whiteListedMccs),
    black_listed_mccs: (c) => json(c.blackListedMccs),
    billing_address: (c) => json(c.billingAddress),
    shared_balance: (c) => c.sharedBalance,
    is_guest: (c) => c.isGuest,
    swipe_count: (c) => c.swipeCount,
    metadata: (c) => json(c.metadata),
    termination_reason: (c) => c.terminationReason,
    created_at: (c) => c.createdAt,
    terminated_at: (c) => c.terminatedAt,
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

/** Written once, with the card. */
export const cardSecrets: Table<CardSecrets> = {
  name: "card_secrets",
  idOf: (secrets) => secrets.cardId,
  insert: copyInto<Owned<CardSecrets>>("card_secrets", {
    organization_id: (c) => c.organizationId,
    card_id: (c) => c.cardId,
    pan_sealed: (c) => c.panSealed,
    pan_hash: (c) => c.panHash,
    pan_hash_key: (c) => c.panHashKey,
    cvv_key: (c) => c.cvvKey,
  }),
};
