import type { Connection } from "../../db/pool.ts";
import type { Currency } from "../../foundation/currencies.ts";
import type { Meaning } from "./query.ts";

export interface FoundCard {
  cardId: string;
  maskedPan: string;
  nameOnCard: string;
  status: string;
  type: string;
  currency: string;
  customerId: string;
}

const CARD = `c.card_id as "cardId", c.masked_pan as "maskedPan", c.name_on_card as "nameOnCard", c.status,
  c.type, c.currency, c.customer_id as "customerId"`;

/** Names on cards have no index; they are looked for among the newest. */
const CARDS_LOOKED_AT = 20_000;

/** Cards by id, by the digits that may be shown, by the name on them or by whose they are, newest first. */
export async function findCards(
  db: Connection,
  organizationId: string,
  { lastFour, firstSix, name }: Meaning,
  ids: { cards: readonly string[]; customers: readonly string[] },
  limit: number,
): Promise<FoundCard[]> {
  const { rows } = await db.query<FoundCard>(
    `select ${CARD} from (
       (select card_id from cards where organization_id = $1 and card_id = any($2))
       union
       (select card_id from cards
         where organization_id = $1 and right(masked_pan, 4) = $3
           and ($4::text is null or left(masked_pan, 6) = $4)
         order by card_id desc limit $7)
       union
       (select m.card_id from unnest($5::text[]) as k(customer_id)
         cross join lateral (select card_id from cards
           where organization_id = $1 and customer_id = k.customer_id
           order by card_id desc limit $7) m)
       union
       (select card_id from (
          select card_id, name_on_card from cards where $6::text is not null and organization_id = $1
           order by card_id desc limit ${CARDS_LOOKED_AT}) newest
         where strpos(' ' || lower(name_on_card), ' ' || lower($6)) > 0
         order by card_id desc limit $7)) f
       join cards c on c.organization_id = $1 and c.card_id = f.card_id
      order by c.card_id desc limit $7`,
    [
      organizationId,
      ids.cards,
      lastFour ?? null,
      firstSix ?? null,
      ids.customers,
      name ?? null,
      limit,
    ],
  );
  return rows;
}

export interface FoundTransaction {
  transactionId: string;
  cardId: string;
  type: string;
  stage: string;
  approved: boolean;
  amountMinor: bigint;
  currency: Currency;
  merchantName: string | null;
  createdAt: Date;
}

/** Transactions by id or by the network's name for them, newest first. */
export async function findTransactions(
  db: Connection,
  organizationId: string,
  text: string,
  ids: readonly string[],
  limit: number,
): Promise<FoundTransaction[]> {
  const { rows } = await db.query<FoundTransaction>(
    `select t.transaction_id as "transactionId", t.card_id as "cardId", t.type, t.stage, t.approved,
            t.amount_minor as "amountMinor", t.currency, t.merchant ->> 'name' as "merchantName",
            t.created_at as "createdAt"
       from ((select transaction_id from transactions
               where organization_id = $1 and transaction_id = any($2))
             union
             (select transaction_id from transactions
               where organization_id = $1 and network_reference = $3 limit $4)) f
       join transactions t on t.organization_id = $1 and t.transaction_id = f.transaction_id
      order by t.transaction_id desc limit $4`,
    [organizationId, ids, text, limit],
  );
  return rows;
}

/** What requests with a Reference made, whichever client or person of the organization sent them. */
export async function findByReference(
  db: Connection,
  organizationId: string,
  reference: string,
): Promise<string[]> {
  const { rows } = await db.query<{ resourceId: string }>(
    `select r.resource_id as "resourceId"
       from (select client_id from clients where organization_id = $1
             union all select person_id from people where organization_id = $1) k
       join request_references r on r.client_id = k.client_id and r.reference = $2
      where r.resource_id is not null limit 20`,
    [organizationId, reference],
  );
  return rows.map(({ resourceId }) => resourceId);
}

/** A customer by what the organization calls them. */
export async function findByClientReference(
  db: Connection,
  organizationId: string,
  clientReference: string,
): Promise<string[]> {
  const { rows } = await db.query<{ customerId: string }>(
    `select customer_id as "customerId" from customers
      where organization_id = $1 and client_reference = $2`,
    [organizationId, clientReference],
  );
  return rows.map(({ customerId }) => customerId);
}

/** Customers by the verifications that were asked for them. */
export async function findByVerification(
  db: Connection,
  organizationId: string,
  kycTokens: readonly string[],
): Promise<string[]> {
  const { rows } = await db.query<{ customerId: string }>(
    `select distinct customer_id as "customerId" from kyc_verifications
      where organization_id = $1 and kyc_token = any($2)`,
    [organizationId, kycTokens],
  );
  return rows.map(({ customerId }) => customerId);
}
