import type { Connection, Pool } from "../db/pool.ts";
import { transaction } from "../db/transaction.ts";
import type { Clock } from "../foundation/clock.ts";
import { REFERENCE_WINDOW_MS } from "./claim.ts";
import { GENERATION_LOCK } from "./store.ts";

/** Nobody who holds the table for long, as a backup does, may hold up every request through us. */
const LOCK_TIMEOUT = "set local lock_timeout = '250ms'";

/**
 * Opens a new generation of References when the current one is a window old, and drops those whose
 * every Reference has expired. Dropping a table costs nothing, deleting a day of rows does.
 *
 * Uniqueness spans generations because of the lock: a batch that works in the old generation holds it
 * shared until its commit, so whoever works in the new one sees all that the old one will ever hold.
 */
export async function turnGenerations(pool: Pool, clock: Clock): Promise<void> {
  const windowStart = new Date(clock.nowMs() - REFERENCE_WINDOW_MS);
  const { rows } = await pool.query<{ isDue: boolean; isCrowded: boolean }>(
    `select max(started_at) <= $1 as "isDue", count(*) > 2 as "isCrowded" from reference_generations`,
    [windowStart],
  );
  if (rows[0]?.isDue === true) await openGeneration(pool, clock.now(), windowStart);
  if (rows[0]?.isDue === true || rows[0]?.isCrowded === true) await dropExpired(pool, windowStart);
}

async function openGeneration(pool: Pool, now: Date, windowStart: Date): Promise<void> {
  await transaction(pool, async (tx) => {
    await tx.query(LOCK_TIMEOUT);
    await tx.query("select pg_advisory_xact_lock($1)", [GENERATION_LOCK]);
    const [current] = await youngestFirst(tx);
    // Another process may have been first.
    if (current === undefined || current.startedAt > windowStart) return;
    const next = current.generation + 1;
    // Attached rather than created in place: that gets by with a lock that readers do not mind.
    await tx.query(
      `create table request_references_${next} (like request_references including all)`,
    );
    await tx.query(
      `alter table request_references attach partition request_references_${next} for values in (${next})`,
    );
    await tx.query("insert into reference_generations values ($1, $2)", [next, now]);
  });
}

/** A generation took its last row when the next one began; once that is a window ago, all have expired. */
async function dropExpired(pool: Pool, windowStart: Date): Promise<void> {
  await transaction(pool, async (tx) => {
    await tx.query(LOCK_TIMEOUT);
    await tx.query("select pg_advisory_xact_lock($1)", [GENERATION_LOCK]);
    const generations = await youngestFirst(tx);
    for (const [index, { generation }] of generations.entries()) {
      const successor = generations[index - 1];
      if (successor === undefined || successor.startedAt > windowStart) continue;
      await tx.query(`drop table request_references_${generation}`);
      await tx.query("delete from reference_generations where generation = $1", [generation]);
    }
  });
}

async function youngestFirst(tx: Connection): Promise<{ generation: number; startedAt: Date }[]> {
  const { rows } = await tx.query<{ generation: number; startedAt: Date }>(
    `select generation, started_at as "startedAt" from reference_generations order by generation desc`,
  );
  return rows;
}
