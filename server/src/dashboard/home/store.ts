import type { Connection } from "../../db/pool.ts";
import type { Currency } from "../../foundation/currencies.ts";
import { firstId } from "../../foundation/ids.ts";

/** Purchases of one day that were decided alike. */
export interface DayRow {
  /** YYYY-MM-DD, in UTC. */
  date: string;
  approved: boolean;
  responseCode: string;
  currency: Currency;
  count: number;
  amountMinor: bigint;
}

/** An id has the time of its transaction, so that days are ranges of ids. */
export async function countPurchases(
  db: Connection,
  organizationId: string,
  from: Date,
  to: Date,
): Promise<DayRow[]> {
  const { rows } = await db.query<Omit<DayRow, "amountMinor"> & { amountMinor: string }>(
    `select to_char(created_at at time zone 'UTC', 'YYYY-MM-DD') as date, approved,
            response_code as "responseCode", billing_currency as currency, count(*)::int as count,
            sum(billing_amount_minor)::text as "amountMinor"
       from transactions
      where organization_id = $1 and transaction_id >= $2 and transaction_id < $3
        and type in ('Authorization', 'PreAuthorization', 'CashWithdrawal')
      group by 1, 2, 3, 4`,
    [organizationId, firstId("txn", from.getTime()), firstId("txn", to.getTime())],
  );
  return rows.map((row) => ({ ...row, amountMinor: BigInt(row.amountMinor) }));
}

export async function countCards(
  db: Connection,
  organizationId: string,
): Promise<{ status: string; count: number }[]> {
  const { rows } = await db.query<{ status: string; count: number }>(
    "select status, count(*)::int as count from cards where organization_id = $1 group by status",
    [organizationId],
  );
  return rows;
}

/** What all cards of an organization have together, by currency. */
export async function sumCardBalances(
  db: Connection,
  organizationId: string,
): Promise<{ currency: Currency; postedMinor: bigint }[]> {
  const { rows } = await db.query<{ currency: Currency; postedMinor: string }>(
    `select currency, sum(posted_minor)::text as "postedMinor" from accounts
      where organization_id = $1 and kind = 'Card' group by currency order by currency`,
    [organizationId],
  );
  return rows.map(({ currency, postedMinor }) => ({ currency, postedMinor: BigInt(postedMinor) }));
}

export async function countCustomers(
  db: Connection,
  organizationId: string,
): Promise<{ total: number; pendingKyc: number }> {
  const { rows } = await db.query<{ total: number; pendingKyc: number }>(
    `select (select count(*)::int from customers where organization_id = $1) as total,
            (select count(*)::int from customers
              where organization_id = $1 and status in ('Initiated', 'Pending')) as "pendingKyc"`,
    [organizationId],
  );
  return rows[0] ?? { total: 0, pendingKyc: 0 };
}

export interface ManagedRow {
  asked: number;
  inTime: number;
  timedOut: number;
  /** How long valid answers took: of none, where there was none. */
  p50Ms: number | null;
  p99Ms: number | null;
}

/** Decisions lie in their transactions, so that only the latest of these are opened. */
const DECISIONS_LOOKED_AT = 5_000;

/**
 * How asking the organization itself went, whoever decides now. Who has never saved who decides was never asked,
 * and none of their transactions is opened.
 */
export async function measureManaged(
  db: Connection,
  organizationId: string,
  from: Date,
): Promise<ManagedRow> {
  const { rows } = await db.query<ManagedRow>(
    `select count(*)::int as asked,
            count(*) filter (where remote ->> 'defaultUsed' = 'false')::int as "inTime",
            count(*) filter (where remote ->> 'timedOut' = 'true')::int as "timedOut",
            percentile_cont(0.5) within group (order by (remote ->> 'durationMs')::float8)
              filter (where remote ->> 'defaultUsed' = 'false') as "p50Ms",
            percentile_cont(0.99) within group (order by (remote ->> 'durationMs')::float8)
              filter (where remote ->> 'defaultUsed' = 'false') as "p99Ms"
       from (select decision -> 'remote' as remote from transactions
              where organization_id = $1 and transaction_id >= $2
                and type in ('Authorization', 'PreAuthorization', 'CashWithdrawal')
                and exists (select from card_authorization_settings where organization_id = $1)
              order by transaction_id desc limit ${DECISIONS_LOOKED_AT}) latest
      where remote is not null`,
    [organizationId, firstId("txn", from.getTime())],
  );
  return rows[0] ?? { asked: 0, inTime: 0, timedOut: 0, p50Ms: null, p99Ms: null };
}
