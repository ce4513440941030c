import type { Pool } from "../../src/db/pool.ts";

/** How many connections to a database wait for a lock; given names, as `like` reads them, of those only. */
export async function lockWaiters(pool: Pool, names = "%"): Promise<number> {
  const { rowCount } = await pool.query(
    `select from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock' and application_name like $1`,
    [names],
  );
  return rowCount ?? 0;
}
