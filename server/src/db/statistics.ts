import type { Pool } from "./pool.ts";
import { transaction } from "./transaction.ts";

/** Fewer rows than this are read in no time, however badly. */
const FEW_ROWS = 500;
const GROWTH = 4;
const STATISTICS_LOCK = 4_000_000_011;

/**
 * A tenth of the usual sample, and with pauses: the whole one took half a second of a processor from payments
 * under way. The autovacuum follows with a better one as the table grows on.
 */
const GENTLY = ["set local default_statistics_target = 10", "set local vacuum_cost_delay = '2ms'"];

/**
 * Analyzes tables that have outgrown what PostgreSQL knows of them. The plans of hot statements are made
 * once; one made for a table that was empty may read all of it for every look-up, until the autovacuum
 * comes by a minute later. Analyzing a table has its plans made anew.
 */
export async function refreshStatistics(pool: Pool): Promise<string[]> {
  const { rows } = await pool.query<{ name: string }>(
    `select s.relname as name from pg_stat_user_tables s join pg_class c on c.oid = s.relid
      where s.schemaname = current_schema() and s.n_live_tup > $1 * greatest(c.reltuples, $2)`,
    [GROWTH, FEW_ROWS],
  );
  const analyzed: string[] = [];
  for (const { name } of rows) if (await analyze(pool, name)) analyzed.push(name);
  return analyzed;
}

/** One process is enough. */
function analyze(pool: Pool, table: string): Promise<boolean> {
  return transaction(pool, async (tx) => {
    const { rows } = await tx.query<{ mine: boolean }>(
      "select pg_try_advisory_xact_lock($1) as mine",
      [STATISTICS_LOCK],
    );
    const isMine = rows[0]?.mine === true;
    const statements = isMine ? [...GENTLY, `analyze ${tx.escapeIdentifier(table)}`] : [];
    for (const statement of statements) await tx.query(statement);
    return isMine;
  });
}
