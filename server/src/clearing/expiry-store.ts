import { numberArray, textArray } from "../db/arrays.ts";
import type { Connection } from "../db/pool.ts";
import { DAY_MS } from "../foundation/dates.ts";
import { firstId } from "../foundation/ids.ts";

export interface SweepKey {
  organizationId: string;
  holdDays: number;
}

/** Looks for holds of one duration in one organization. */
export interface Sweep extends SweepKey {
  /** Holds with smaller ids are done with. */
  sweptTo: string;
  /** Holds from here on cannot have expired yet. */
  end: string;
}

export const FIRST_SWEEP: SweepKey = { organizationId: "", holdDays: 0 };

/** In real time; far longer than a step takes. */
const LEASE = "clock_timestamp() + interval '30 seconds'";

/** Begins sweeps for organizations and durations that have none. */
export async function beginSweeps(db: Connection, durations: readonly number[]): Promise<void> {
  await db.query(
    `insert into hold_sweeps (organization_id, hold_days, swept_to)
     select organization_id, hold_days, 'txn_'
       from organizations cross join unnest($1::int[]) as d(hold_days)
     on conflict do nothing`,
    [numberArray(durations)],
  );
}

/**
 * Leases the next sweeps that have anything to look through to one process. Durations that no programme
 * has any more are swept all the same, because holds keep theirs.
 */
export async function takeSweeps(
  db: Connection,
  after: SweepKey,
  nowMs: number,
  limit: number,
): Promise<Sweep[]> {
  const durations = await findDurations(db);
  const { rows } = await db.query<Sweep>(
    `with due as (
       select s.organization_id, s.hold_days, e."end"
         from hold_sweeps s join unnest($3::int[], $4::text[]) as e(hold_days, "end") using (hold_days)
        where (s.organization_id, s.hold_days) > ($1, $2) and s.swept_to < e."end"
          and (s.lease_until is null or s.lease_until <= clock_timestamp())
        order by s.organization_id, s.hold_days limit $5 for no key update of s skip locked)
     update hold_sweeps s set lease_until = ${LEASE} from due
      where s.organization_id = due.organization_id and s.hold_days = due.hold_days
     returning s.organization_id as "organizationId", s.hold_days as "holdDays",
               s.swept_to as "sweptTo", due."end"`,
    [
      after.organizationId,
      after.holdDays,
      numberArray(durations),
      textArray(durations.map((days) => firstId("txn", nowMs - days * DAY_MS))),
      limit,
    ],
  );
  return rows.sort(inOrder);
}

function inOrder(a: SweepKey, b: SweepKey): number {
  if (a.organizationId === b.organizationId) return a.holdDays - b.holdDays;
  return a.organizationId < b.organizationId ? -1 : 1;
}

async function findDurations(db: Connection): Promise<number[]> {
  const { rows } = await db.query<{ holdDays: number }>(
    `select distinct hold_days as "holdDays" from hold_sweeps`,
  );
  return rows.map(({ holdDays }) => holdDays);
}

/** What a sweep comes across: a hold of its duration, or the place where this look ends. */
export interface Sighting extends SweepKey {
  transactionId: string;
  isHeld: boolean;
  isOver: boolean;
  /** There may be more behind it. */
  isEnd: boolean;
}

/** What is to expire some day: a hold, or what was authorized in our place with nothing to hold. */
const IS_OPEN = "(held_minor > 0 or stage = 'Authorization' and billing_amount_minor > 0)";

export async function isStillOpen(
  db: Connection,
  organizationId: string,
  transactionId: string,
): Promise<boolean> {
  const { rowCount } = await db.query(
    `select from transactions where organization_id = $1 and transaction_id = $2 and ${IS_OPEN}`,
    [organizationId, transactionId],
  );
  return rowCount === 1;
}

/** Looks through the next transactions of each sweep, a bounded number. */
export async function lookThrough(
  db: Connection,
  sweeps: readonly Sweep[],
  now: Date,
  limit: number,
): Promise<Sighting[]> {
  const { rows } = await db.query<Sighting>(
    `select s.organization_id as "organizationId", s.hold_days as "holdDays",
            t.transaction_id as "transactionId", t.is_held as "isHeld", t.is_over as "isOver", t.position = $6 as "isEnd"
       from unnest($1::text[], $2::int[], $3::text[], $4::text[])
            as s(organization_id, hold_days, swept_to, "end")
      cross join lateral (
        select transaction_id, row_number() over (order by transaction_id) as position,
               coalesce(${IS_OPEN}
                        and expires_at - created_at = make_interval(secs => s.hold_days * 86400),
                        false) as is_held,
               coalesce(expires_at <= $5, false) as is_over
          from (select transaction_id, stage, billing_amount_minor, held_minor, expires_at, created_at
                  from transactions
                 where organization_id = s.organization_id and transaction_id >= s.swept_to
                   and transaction_id < s."end"
                 order by transaction_id limit $6) p) t
      where t.is_held or t.position = $6
      order by t.transaction_id`,
    [
      textArray(sweeps.map((sweep) => sweep.organizationId)),
      numberArray(sweeps.map((sweep) => sweep.holdDays)),
      textArray(sweeps.map((sweep) => sweep.sweptTo)),
      textArray(sweeps.map((sweep) => sweep.end)),
      now,
      limit,
    ],
  );
  return rows;
}

/** Notes how far sweeps have come; those that are not done yet stay leased. */
export async function noteSwept(
  db: Connection,
  sweeps: readonly (Omit<Sweep, "end"> & { isDone: boolean })[],
): Promise<void> {
  await db.query(
    `update hold_sweeps s set swept_to = greatest(s.swept_to, k.swept_to),
            lease_until = case when k.is_done then null else ${LEASE} end
       from unnest($1::text[], $2::int[], $3::text[], $4::bool[])
            as k(organization_id, hold_days, swept_to, is_done)
      where s.organization_id = k.organization_id and s.hold_days = k.hold_days`,
    [
      textArray(sweeps.map((sweep) => sweep.organizationId)),
      numberArray(sweeps.map((sweep) => sweep.holdDays)),
      textArray(sweeps.map((sweep) => sweep.sweptTo)),
      textArray(sweeps.map((sweep) => String(sweep.isDone))),
    ],
  );
}
