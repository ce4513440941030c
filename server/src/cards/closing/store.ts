import type { Connection } from "../../db/pool.ts";
import type { CardFacts, CardStatus } from "../card.ts";

export interface AccountPlace {
  organizationId: string;
  accountId: string;
}

export interface NegativeAccount extends AccountPlace {
  postedMinor: bigint;
}

export const FIRST_PLACE: AccountPlace = { organizationId: "", accountId: "" };

/**
 * Looks at the next accounts by key and gives those of cards that are below zero, and where to go on;
 * no place: that was the end. Balances have no index, which would make every purchase dearer.
 */
export async function findNegativeAccounts(
  db: Connection,
  after: AccountPlace,
  limit: number,
): Promise<{ negative: NegativeAccount[]; next: AccountPlace | undefined }> {
  const { rows } = await db.query<NegativeAccount & { isNegative: boolean; position: bigint }>(
    `select * from (
       select organization_id as "organizationId", account_id as "accountId", posted_minor as "postedMinor",
              kind = 'Card' and posted_minor < 0 as "isNegative", row_number() over (order by organization_id, account_id) as position
         from (select * from accounts where (organization_id, account_id) > ($1, $2)
                order by organization_id, account_id limit $3) a) page
      where "isNegative" or position = $3 order by position`,
    [after.organizationId, after.accountId, limit],
  );
  const last = rows.at(-1);
  return {
    negative: rows.filter(({ isNegative }) => isNegative),
    next: last?.position === BigInt(limit) ? last : undefined,
  };
}

/** When the posting was made since which an account has been below zero. */
export async function negativeSince(
  db: Connection,
  { organizationId, accountId }: AccountPlace,
): Promise<Date | undefined> {
  const { rows } = await db.query<{ since: Date }>(
    `with last_good as (select greatest(
        (select posting_id from postings where organization_id = $1 and debit_account_id = $2
            and debit_balance_minor >= 0 order by posting_id desc limit 1),
        (select posting_id from postings where organization_id = $1 and credit_account_id = $2
            and credit_balance_minor >= 0 order by posting_id desc limit 1), 0) as posting_id)
     select p.created_at as since from last_good g cross join lateral (
       select created_at from postings
        where organization_id = $1 and debit_account_id = $2 and posting_id > g.posting_id
        order by posting_id limit 1) p`,
    [organizationId, accountId],
  );
  return rows[0]?.since;
}

export async function findCardsOfAccount(
  db: Connection,
  { organizationId, accountId }: AccountPlace,
): Promise<(CardFacts & { status: CardStatus })[]> {
  const { rows } = await db.query<CardFacts & { status: CardStatus }>(
    `select card_id as "cardId", customer_id as "customerId", account_id as "accountId", type, currency,
            programme_id as "programmeId", is_guest as "isGuest", status
       from cards where organization_id = $1 and account_id = $2 order by card_id`,
    [organizationId, accountId],
  );
  return rows;
}
