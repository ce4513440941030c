import type { Pool } from "../db/pool.ts";
import { transaction } from "../db/transaction.ts";
import type { Clock } from "../foundation/clock.ts";
import { REFERENCE_WINDOW_MS } from "./claim.ts";
import { GENERATION_LOCK } from "./store.ts";

/**
 * Opens a new generation of References when the current one is a window old, and drops those whose
 * every Reference has expired. Dropping a table costs nothing, deleting a day of rows does.
 *
 * Uniqueness spans generations because of the lock: a batch that works in the old generation holds it
 * shared until its commit, so whoever works in the new one sees all that the old one will ever hold.
 */
export async function turnGenerations(pool: Pool, clock: Clock): Promise<void> {
  const now = clock.now();
  const { rows } = await pool.query<{ due: boolean }>(
    `select max(started_at) <= $1 as due from reference_generations`,
    [new Date(now.getTime() - REFERENCE_WINDOW_MS)],
  );
  if (rows[0]?.due === true) await openGeneration(pool, now);
}

async function openGeneration(pool: Pool, now: Date): Promise<void> {
  await transaction(pool, async (tx) => {
    await tx.query("set local lock_timeout = '3s'");
    await tx.query("select pg_advisory_xact_lock($1)", [GENERATION_LOCK]);
    const { rows } = await tx.query<{ generation: number; startedAt: Date }>(
      `select generation, started_at as "startedAt" from reference_generations order by generation desc`,
    );
    const current = rows[0];
    const windowStart = now.getTime() - REFERENCE_WINDOW_MS;
    // Another process may have been first.
    if (current === undefined || Number(current.startedAt) > windowStart) return;

    const next = current.generation + 1;
    await tx.query(
      `create table request_references_${next} partition of request_references for values in (${next})`,
    );
    await tx.query("insert into reference_generations values ($1, $2)", [next, now]);
    // The current generation took rows until this moment; those before it stopped when it began,
    // which was at least a window ago.
    for (const { generation } of rows.slice(1)) {
      await tx.query(`drop table request_references_${generation}`);
      await tx.query("delete from reference_generations where generation = $1", [generation]);
    }
  });
}
