import type { Connection } from "./pool.ts";

/** What a role or a database may be given to keep others from waiting; the last came with PostgreSQL 17. */
const LIMITS = [
  "lock_timeout",
  "statement_timeout",
  "idle_in_transaction_session_timeout",
  "transaction_timeout",
];

/** Lets a transaction take as long as it takes. */
export async function liftLimits(tx: Connection): Promise<void> {
  await tx.query("select set_config(name, '0', true) from pg_settings where name = any($1)", [
    LIMITS,
  ]);
}

const LIFT = "select set_config(name, '0', false) from pg_settings where name = any($1)";
const PUT_BACK = "select set_config(name, reset_val, false) from pg_settings where name = any($1)";

/** Works in a session of one's own that may take as long as it takes, whatever its role or database says. */
export async function withoutLimits<T>(session: Connection, work: () => Promise<T>): Promise<T> {
  await session.query(LIFT, [LIMITS]);
  try {
    return await work();
  } finally {
    // Not left to the end of the connection, which a pooler between may keep open.
    await session.query(PUT_BACK, [LIMITS]).catch(() => undefined);
  }
}
