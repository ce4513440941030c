import { bytesArray, numberArray, textArray } from "../db/arrays.ts";
import { copyInto } from "../db/copy.ts";
import { isServerError } from "../db/errors.ts";
import type { Statement } from "../db/lane.ts";
import type { Connection } from "../db/pool.ts";
import type { Claim, Known, Outcome } from "./claim.ts";

/** Held shared by every transaction that reads or writes References, exclusively by the generation switch. */
export const GENERATION_LOCK = 4_000_000_002;

/** What a transaction outside of any batch does before it looks at References. */
export async function holdGeneration(tx: Connection): Promise<void> {
  await tx.query("select pg_advisory_xact_lock_shared($1)", [GENERATION_LOCK]);
}

/** The generation to write to. It is asked for once the lock is held, and stays the youngest as long. */
export const YOUNGEST_GENERATION: Statement = {
  name: "references_generation",
  text: "select max(generation) as generation from reference_generations",
};

/** Where one Reference is known from several generations, the youngest counts. */
export function findKnown(claims: Claim[]): Statement {
  return {
    name: "references_find",
    // One look-up each, whatever the statistics say: a join may be planned as a scan of the whole table.
    text: `
      select r.client_id as "clientId", r.reference, r.attempt, r.state, r.digest,
             r.completed_at as "completedAt",
             coalesce(r.lease_until > clock_timestamp(), false) as "leaseLive"
        from unnest($1::text[], $2::text[]) as k(client_id, reference)
       cross join lateral (
         select * from request_references
          where client_id = k.client_id and reference = k.reference
          order by generation desc limit 1) r`,
    values: [textArray(claims.map((c) => c.clientId)), textArray(claims.map((c) => c.reference))],
  };
}

/** The same for a single Reference, outside of any batch. */
export async function findOne(db: Connection, claim: Claim): Promise<Known | undefined> {
  const { text, values } = findKnown([claim]);
  const { rows } = await db.query<Known>(text, values);
  return rows[0];
}

export interface OutcomeRow {
  claim: Claim;
  outcome: Outcome;
  /** The attempt that was seen when the request was judged; 0 when the Reference was new. */
  seenAttempt: number;
}

interface NewRow extends OutcomeRow {
  generation: number;
  completedAt: Date;
}

const copyOutcomes = copyInto<NewRow>("request_references", {
  client_id: ({ claim }) => claim.clientId,
  reference: ({ claim }) => claim.reference,
  generation: (row) => row.generation,
  attempt: (row) => row.seenAttempt + 1,
  state: ({ outcome }) => outcome.state,
  method: ({ claim }) => claim.method,
  path: ({ claim }) => claim.path,
  http_status: ({ outcome }) => outcome.httpStatus,
  response_code: ({ outcome }) => outcome.responseCode,
  resource_id: ({ outcome }) => outcome.resourceId,
  digest: ({ claim, outcome }) => (outcome.state === "Failed" ? claim.digest() : null),
  request_id: ({ claim }) => claim.requestId,
  completed_at: (row) => row.completedAt,
});

/**
 * Writes outcomes, all or none, for those who hold the generation that is the youngest. Most References
 * are new, and the quickest way is good enough for them: see isReferenceTaken.
 */
export function writeOutcomes(records: OutcomeRow[], now: Date, generation: number): Statement[] {
  const fresh: NewRow[] = [];
  const others: OutcomeRow[] = [];
  for (const { claim, outcome, seenAttempt } of records) {
    if (seenAttempt > 0) others.push({ claim, outcome, seenAttempt });
    else fresh.push({ claim, outcome, seenAttempt, generation, completedAt: now });
  }
  const statements: Statement[] = [];
  if (fresh.length > 0) statements.push(copyOutcomes(fresh.sort(byReference)));
  if (others.length > 0) statements.push(recordOutcomes(others, now));
  return statements;
}

/** Another process settled a Reference since it was judged; judged again, it is found. */
export const isReferenceTaken = (error: unknown): boolean =>
  isServerError(error) && error.code === "23505" && /^request_references_/.test(error.table ?? "");

/**
 * Writes outcomes, all or none: a Reference that another process settled since it was judged raises
 * an error, which takes the effect of this transaction with it. Rows go in sorted, so that two
 * processes with the same References cannot wait for each other in a circle.
 */
export function recordOutcomes(records: OutcomeRow[], now: Date): Statement {
  const rows = [...records].sort(byReference);
  return {
    name: "references_record",
    text: `
      with written as (
        insert into request_references as r
          (client_id, reference, generation, attempt, state, method, path, http_status, response_code,
           resource_id, digest, request_id, completed_at)
        select k.client_id, k.reference, (select max(generation) from reference_generations), k.attempt,
               k.state, k.method, k.path, k.http_status, k.response_code, k.resource_id, k.digest,
               k.request_id, $12
          from unnest($1::text[], $2::text[], $3::int[], $4::text[], $5::text[], $6::text[], $7::int2[],
                      $8::text[], $9::text[], $10::bytea[], $11::text[])
               as k(client_id, reference, attempt, state, method, path, http_status, response_code,
                    resource_id, digest, request_id)
        on conflict (client_id, reference, generation) do update
          set attempt = excluded.attempt, state = excluded.state, method = excluded.method,
              path = excluded.path, http_status = excluded.http_status,
              response_code = excluded.response_code, resource_id = excluded.resource_id,
              digest = excluded.digest, request_id = excluded.request_id, lease_until = null,
              completed_at = excluded.completed_at
          where r.attempt = excluded.attempt - 1
        returning 1)
      select expect_rows(count(*), cardinality($1::text[]), 'references') from written`,
    values: [
      textArray(rows.map((r) => r.claim.clientId)),
      textArray(rows.map((r) => r.claim.reference)),
      numberArray(rows.map((r) => r.seenAttempt + 1)),
      textArray(rows.map((r) => r.outcome.state)),
      textArray(rows.map((r) => r.claim.method)),
      textArray(rows.map((r) => r.claim.path)),
      numberArray(rows.map((r) => r.outcome.httpStatus)),
      textArray(rows.map((r) => r.outcome.responseCode)),
      textArray(rows.map((r) => r.outcome.resourceId ?? null)),
      bytesArray(rows.map((r) => (r.outcome.state === "Failed" ? r.claim.digest() : null))),
      textArray(rows.map((r) => r.claim.requestId)),
      now,
    ],
  };
}

/** The same for a single outcome, outside of any batch. */
export async function recordOne(db: Connection, record: OutcomeRow, now: Date): Promise<void> {
  const { text, values } = recordOutcomes([record], now);
  await db.query(text, values);
}

export interface ReservationRow {
  claim: Claim;
  /** What the request will make, if it comes to that. */
  resourceId: string;
  /** As for an outcome; the reservation itself is the next attempt. */
  seenAttempt: number;
  leaseMs: number;
}

/** Marks a Reference as being worked on; false when another process was faster. */
export async function insertReservation(
  db: Connection,
  { claim, resourceId, seenAttempt, leaseMs }: ReservationRow,
  now: Date,
): Promise<boolean> {
  const { rowCount } = await db.query(
    `insert into request_references as r
       (client_id, reference, generation, attempt, state, method, path, resource_id, digest, request_id,
        lease_until, completed_at)
     values ($1, $2, (select max(generation) from reference_generations), $3, 'InProgress', $4, $5, $6, $7,
             $8, clock_timestamp() + $9::int * interval '1 millisecond', $10)
     on conflict (client_id, reference, generation) do update
       set attempt = excluded.attempt, state = excluded.state, method = excluded.method,
           path = excluded.path, http_status = null, response_code = null,
           resource_id = excluded.resource_id, digest = excluded.digest,
           request_id = excluded.request_id, lease_until = excluded.lease_until,
           completed_at = excluded.completed_at
       where r.attempt = excluded.attempt - 1`,
    [
      claim.clientId,
      claim.reference,
      seenAttempt + 1,
      claim.method,
      claim.path,
      resourceId,
      claim.digest(),
      claim.requestId,
      leaseMs,
      now,
    ],
  );
  return rowCount === 1;
}

/** Goes on working on a Reference, unless it was given free or somebody has got further with it. */
export async function extendReservation(
  db: Connection,
  { clientId, reference }: Claim,
  { attempt, leaseMs }: { attempt: number; leaseMs: number },
): Promise<void> {
  await db.query(
    `update request_references set lease_until = clock_timestamp() + $4::int * interval '1 millisecond'
      where client_id = $1 and reference = $2 and attempt = $3 and state = 'InProgress'
        and lease_until is not null`,
    [clientId, reference, attempt, leaseMs],
  );
}

/** Gives a Reference free again, unless somebody has got further with it. */
export async function releaseReservation(
  db: Connection,
  { clientId, reference }: Claim,
  attempt: number,
): Promise<void> {
  await db.query(
    `update request_references set lease_until = null
      where client_id = $1 and reference = $2 and attempt = $3 and state = 'InProgress'`,
    [clientId, reference, attempt],
  );
}

function byReference(a: OutcomeRow, b: OutcomeRow): number {
  return (
    compare(a.claim.clientId, b.claim.clientId) || compare(a.claim.reference, b.claim.reference)
  );
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

export interface RequestRow {
  state: Known["state"];
  method: string;
  path: string;
  httpStatus: number | null;
  responseCode: string | null;
  resourceId: string | null;
  completedAt: Date;
  leaseLive: boolean;
}

export async function findRequest(
  db: Connection,
  clientId: string,
  reference: string,
): Promise<RequestRow | undefined> {
  const { rows } = await db.query<RequestRow>(
    `select state, method, path, http_status as "httpStatus", response_code as "responseCode",
            resource_id as "resourceId", completed_at as "completedAt",
            coalesce(lease_until > clock_timestamp(), false) as "leaseLive"
       from request_references where client_id = $1 and reference = $2
      order by generation desc limit 1`,
    [clientId, reference],
  );
  return rows[0];
}
