import type { Pool } from "../db/pool.ts";
import type { SharedStateFeed } from "../db/shared-state.ts";
import type { ServiceClock } from "../foundation/clock.ts";
import type { Claim } from "../references/claim.ts";
import { onceInTransaction } from "../references/transaction.ts";

export interface ClockDeps {
  pool: Pool;
  clock: ServiceClock;
  feed: SharedStateFeed;
}

/** Moves the service's time forward for every process, and says what time it is now. */
export async function advanceClock(deps: ClockDeps, seconds: number, claim: Claim): Promise<Date> {
  await onceInTransaction(deps, claim, (tx) =>
    tx.query("update shared_state set clock_offset_ms = clock_offset_ms + $1", [seconds * 1000]),
  );
  // Other processes learn of it by themselves; the caller may rely on this one at once.
  await deps.feed.refresh();
  return deps.clock.now();
}
