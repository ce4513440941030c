import type { Connection, Pool } from "./pool.ts";

/** Play money, its well-known owner and a moved clock have no place in production, nor real money among them. */
export class ForeignDatabase extends Error {
  constructor(owner: string, environment: string) {
    const [whose, who] = [owner, environment].map((name) =>
      name === "sandbox" ? "a sandbox" : name,
    );
    super(
      `The database belongs to ${whose}: ${who} needs one of its own. FLORIN_ENV says which this is.`,
    );
  }
}

/**
 * Refuses a database that is known to be another environment's, before anything is done to it: not even
 * its schema is the business of a sandbox that was started by mistake.
 */
export async function refuseForeignDatabase(db: Connection, environment: string): Promise<void> {
  const { rows } = await db.query("select to_regclass('shared_state') is not null as known");
  if (rows[0]?.known !== true) return;
  // The column is younger than the table. Of a database from before it a sandbox is known, as migration 0010 has it.
  const { rows: found } = await db.query<{ owner: string | null }>(
    `select coalesce(to_jsonb(s) ->> 'environment', case when clock_offset_ms > 0
         or exists (select from organizations where sandbox_seed_sealed is not null)
       then 'sandbox' end) as owner from shared_state s`,
  );
  expectOwner(found[0]?.owner ?? environment, environment);
}

/** Writes down whose database this is: the environment's that used it first, which must be this one. */
export async function claimDatabase(pool: Pool, environment: string): Promise<void> {
  const { rows: found } = await pool.query<{ environment: string | null }>(
    "select environment from shared_state",
  );
  // Written once only, so that whoever just reads needs no more than that, as on a standby.
  const owner = found[0]?.environment ?? (await claim(pool, environment));
  expectOwner(owner, environment);
}

async function claim(pool: Pool, environment: string): Promise<string> {
  const { rows } = await pool.query<{ environment: string }>(
    "update shared_state set environment = coalesce(environment, $1) returning environment",
    [environment],
  );
  return rows[0]?.environment ?? environment;
}

function expectOwner(owner: string, environment: string): void {
  if (owner !== environment) throw new ForeignDatabase(owner, environment);
}
