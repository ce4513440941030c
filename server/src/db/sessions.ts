import type { Connection } from "./pool.ts";

/** Session settings, prepared statements and locks would end up with whoever is given the session next. */
export class SharedSessions extends Error {
  constructor() {
    super(
      "FLORIN_DATABASE_URL leads to a pooler in transaction mode, which lets connections share sessions: connect directly or in session mode, and name the pooler in FLORIN_DATABASE_POOLER_URL.",
    );
  }
}

/**
 * Fails unless each of two open connections has a session of its own. One is asked twice, because some poolers
 * give every transaction the next session in turn.
 */
export async function expectOwnSessions(one: Connection, other: Connection): Promise<void> {
  // One after another: at the same time even such a pooler needs two sessions.
  const first = await sessionOf(one);
  const again = await sessionOf(one);
  const others = await sessionOf(other);
  if (first !== again || first === others) throw new SharedSessions();
}

async function sessionOf(connection: Connection): Promise<number | undefined> {
  const { rows } = await connection.query<{ pid: number }>("select pg_backend_pid() as pid");
  return rows[0]?.pid;
}
