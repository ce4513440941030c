import { setTimeout as sleep } from "node:timers/promises";
import { createClient } from "./pool.ts";

const PAUSE_MS = 200;
const PATIENCE_MS = 5_000;

/** The holder's connection idles while it works, and its lock must be freed soon after its machine dies. */
const HOLDER_SETTINGS = `
  set idle_session_timeout = 0; set tcp_keepalives_idle = 30; set tcp_keepalives_interval = 10;
  set tcp_keepalives_count = 3`;

/**
 * Works while no other process does what the lock stands for. The lock belongs to a session, so its connection is
 * one of its own. Whoever comes second asks again and again, rather than wait in one statement for longer than a
 * statement may take.
 */
export async function holdingLock<T>(
  databaseUrl: string,
  lock: number,
  work: () => Promise<T>,
  onWait: () => void = () => undefined,
): Promise<T> {
  const holder = createClient(databaseUrl, {
    application_name: "florin-lock",
    connectionTimeoutMillis: PATIENCE_MS,
    query_timeout: PATIENCE_MS,
  });
  // A connection that breaks fails whoever uses it next; without a listener it would end the process.
  holder.on("error", () => undefined);
  const take = async (): Promise<boolean> => {
    const text = "select pg_try_advisory_lock($1) as taken";
    return (await holder.query<{ taken: boolean }>(text, [lock])).rows[0]?.taken === true;
  };
  await holder.connect();
  try {
    await holder.query(HOLDER_SETTINGS);
    for (let tries = 0; !(await take()); tries++) {
      if (tries === 0) onWait();
      await sleep(PAUSE_MS);
    }
    return await work();
  } finally {
    // Not left to the end of the connection, which a pooler between may keep open.
    await holder.query("select pg_advisory_unlock($1)", [lock]).catch(() => undefined);
    await holder.end();
  }
}
