import { setTimeout as sleep } from "node:timers/promises";
import type { Pool } from "./pool.ts";

const PAUSE_MS = 200;

/** The holder's connection idles while it works, and its lock must be freed soon after its machine dies. */
const HOLDER_SETTINGS = `
  set idle_session_timeout = 0; set tcp_keepalives_idle = 30; set tcp_keepalives_interval = 10;
  set tcp_keepalives_count = 3`;

/**
 * Works while no other process does what the lock stands for. Whoever comes second asks again and again,
 * rather than wait in one statement for longer than a statement may take.
 */
export async function holdingLock<T>(
  pool: Pool,
  lock: number,
  work: () => Promise<T>,
  onWait: () => void = () => undefined,
): Promise<T> {
  const holder = await pool.connect();
  const take = async (): Promise<boolean> => {
    const text = "select pg_try_advisory_lock($1) as taken";
    return (await holder.query<{ taken: boolean }>(text, [lock])).rows[0]?.taken === true;
  };
  try {
    await holder.query(HOLDER_SETTINGS);
    for (let tries = 0; !(await take()); tries++) {
      if (tries === 0) onWait();
      await sleep(PAUSE_MS);
    }
    return await work();
  } finally {
    await holder.query("select pg_advisory_unlock($1)", [lock]).catch(() => undefined);
    // Nobody else should have a connection with these settings.
    holder.release(true);
  }
}
