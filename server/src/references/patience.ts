import { setTimeout as sleep } from "node:timers/promises";
import { Failure } from "../foundation/failure.ts";

/** How long a request waits for another process that works on its Reference. */
const PATIENCE_MS = 15_000;
const POLL_MS = 100;

/** Tries until there is more than a failure to be waited out, which is thrown when that takes too long. */
export async function waitOut<T>(tryOnce: () => Promise<T | Failure>): Promise<T> {
  const deadlineMs = performance.now() + PATIENCE_MS;
  for (;;) {
    const result = await tryOnce();
    if (!(result instanceof Failure)) return result;
    if (performance.now() >= deadlineMs) throw result;
    await sleep(POLL_MS);
  }
}
