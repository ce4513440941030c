import { setTimeout as pause } from "node:timers/promises";
import type pg from "pg";
import type { HoldExpiry } from "../clearing/expiry.ts";
import type { Pool } from "../db/pool.ts";
import type { SharedStateFeed } from "../db/shared-state.ts";
import type { ServiceClock } from "../foundation/clock.ts";
import { Failure } from "../foundation/failure.ts";
import type { Claim } from "../references/claim.ts";
import { onceInTransaction } from "../references/once-in-transaction.ts";

/** Years are written with four digits. */
const LAST_MS = Date.UTC(9000, 0);

export interface ClockDeps {
  pool: Pool;
  clock: ServiceClock;
  feed: SharedStateFeed;
  holdExpiry: HoldExpiry;
}

/** Of real time; however many holds there are, a client is answered. */
const MAX_WAIT_MS = 5_000;

/** Moves the service's time forward for every process, and says what time it is now. */
export async function advanceClock(deps: ClockDeps, seconds: number, claim: Claim): Promise<Date> {
  if (deps.clock.nowMs() + seconds * 1000 > LAST_MS) {
    const message = "would move the clock beyond the year 9000, where this sandbox ends";
    throw new Failure("INVALID_REQUEST", { errors: [{ field: "seconds", message }] });
  }
  const timeOf = (offsetMs: number): Date => new Date(Date.now() + offsetMs);
  await onceInTransaction(deps, claim, (tx) => move(tx, seconds), undefined, timeOf);
  await deps.feed.refresh();
  // Whatever the caller sends next may come to another process.
  await Promise.all([expireHolds(deps), deps.feed.untilLearned()]);
  return deps.clock.now();
}

async function expireHolds({ holdExpiry }: ClockDeps): Promise<void> {
  const patience = new AbortController();
  await Promise.race([
    // A failure is told in the log, and tried again.
    holdExpiry.catchUp().catch(() => undefined),
    pause(MAX_WAIT_MS, undefined, { signal: patience.signal }).catch(() => undefined),
  ]);
  patience.abort();
}

/** Gives where the clock is then, whoever else has moved it meanwhile. */
async function move(tx: pg.PoolClient, seconds: number): Promise<number> {
  const { rows } = await tx.query<{ offsetMs: number }>(
    `update shared_state set clock_offset_ms = clock_offset_ms + $1
     returning clock_offset_ms::float8 as "offsetMs"`,
    [seconds * 1000],
  );
  return rows[0]?.offsetMs ?? 0;
}
