import { setTimeout as pause } from "node:timers/promises";

const PATIENCE_MS = 30_000;
const PAUSE_MS = 25;

/** Asks until the answer is not undefined, within a bound; the last error says why there was none. */
export async function eventually<T>(
  what: string,
  ask: () => Promise<T | undefined> | T | undefined,
  patienceMs = PATIENCE_MS,
): Promise<T> {
  const deadline = performance.now() + patienceMs;
  let reason: unknown;
  do {
    try {
      const answer = await ask();
      if (answer !== undefined) return answer;
    } catch (error) {
      reason = error;
    }
    await pause(PAUSE_MS);
  } while (performance.now() < deadline);
  throw new Error(`Waited in vain: ${what}`, { cause: reason });
}

/** The same for something that is only either so or not. */
export async function until(
  what: string,
  holds: () => Promise<boolean> | boolean,
  patienceMs = PATIENCE_MS,
): Promise<void> {
  await eventually(what, async () => (await holds()) || undefined, patienceMs);
}
