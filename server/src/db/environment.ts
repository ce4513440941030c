import type { Pool } from "./pool.ts";

/** Whose database this is: the environment's that used it first, which may be this one now. */
export async function claimDatabase(pool: Pool, environment: string): Promise<string> {
  const { rows } = await pool.query<{ environment: string }>(
    "update shared_state set environment = coalesce(environment, $1) returning environment",
    [environment],
  );
  return rows[0]?.environment ?? environment;
}
