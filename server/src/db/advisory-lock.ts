import { setTimeout as sleep } from "node:timers/promises";
import type { Pool } from "./pool.ts";

const PAUSE_MS = 200;

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
  const ask = async (text: string): Promise<boolean> =>
    (await holder.query<{ done: boolean }>(text, [lock])).rows[0]?.done === true;
  let broken: Error | undefined;
  try {
    for (let tries = 0; !(await ask("select pg_try_advisory_lock($1) as done")); tries++) {
      if (tries === 0) onWait();
      await sleep(PAUSE_MS);
    }
    return await work();
  } finally {
    await ask("select pg_advisory_unlock($1) as done").catch((cause: Error) => {
      broken = cause;
    });
    holder.release(broken);
  }
}
