import type { Pool } from "../../src/db/pool.ts";

/** How many connections to a database wait for a lock; given a name, of those only that are called so, or so and more. */
export async function lockWaiters(pool: Pool, name = ""): Promise<number> {
  const { rowCount } = await pool.query(
    `select from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock' and starts_with(application_name, $1)`,
    [name],
  );
  return rowCount ?? 0;
}
