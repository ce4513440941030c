import type { Pool } from "../db/pool.ts";
import { isFailure } from "../foundation/failure.ts";
import { groupBy } from "../foundation/group-by.ts";
import { firstId } from "../foundation/ids.ts";
import type { Log } from "../foundation/log.ts";
import { usualHolds } from "../programmes/programmes.ts";
import { findPayment } from "../transactions/facts.ts";
import {
  beginSweeps,
  FIRST_SWEEP,
  isStillOpen,
  lookThrough,
  noteSwept,
  type Sighting,
  type Sweep,
  type SweepKey,
  takeSweeps,
} from "./expiry-store.ts";
import { PastReadings } from "./past-readings.ts";
import { type ClearingDeps, followPayment } from "./service.ts";

const MAX_SWEEPS = 100;
/** How many transactions one look at a sweep goes through. */
const MAX_LOOK = 1_000;
const MAX_AT_ONCE = 64;
/**
 * Of real time, and far longer than it takes from the making of a transaction's id to its commit, or until all
 * processes know that the clock was moved.
 */
const UNDER_WAY_MS = 60_000;

export type ExpiryDeps = ClearingDeps & { pool: Pool; log: Log; underWayMs?: number };

/**
 * Gives back holds that nobody claimed in time. Transactions carry the time of their beginning in their
 * ids, so for each duration that holds can have there is a place in their order up to which they are
 * over: a sweep follows it, and reads every transaction once. Where a sandbox's clock jumps over the whole
 * duration, holds may still begin in what is over by then, so what is young in real time is read again. Several
 * processes share the sweeps; should two of them come to the same hold, the engine lets the first expire it.
 */
export class HoldExpiry {
  readonly #deps: ExpiryDeps;
  readonly #readings: PastReadings;
  #pass: Promise<void> | undefined;
  #isAskedAgain = false;
  #isStopped = false;

  constructor(deps: ExpiryDeps) {
    this.#deps = deps;
    // The clock is never behind real time, whatever it has shown before this process began to look.
    this.#readings = new PastReadings(deps.underWayMs ?? UNDER_WAY_MS, Date.now());
  }

  /** Expires all holds that are over by now. */
  catchUp(): Promise<void> {
    this.#isAskedAgain = true;
    this.#pass ??= this.#passes().finally(() => {
      this.#pass = undefined;
    });
    return this.#pass;
  }

  /** Leaves the rest for later; what is under way ends first. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#pass?.catch(() => undefined);
  }

  /** Time may have moved on during a pass, so that whoever asked meanwhile wants another. */
  async #passes(): Promise<void> {
    while (this.#isAskedAgain && !this.#isStopped) {
      this.#isAskedAgain = false;
      await this.#passOver(this.#deps.clock.nowMs());
    }
  }

  async #passOver(nowMs: number): Promise<void> {
    const { pool, programmes } = this.#deps;
    const durations = [usualHolds, ...programmes].flatMap((each) => [
      each.holdDays,
      each.preAuthorizationHoldDays,
    ]);
    const settledTo = firstId("txn", this.#readings.note(performance.now(), nowMs));
    await beginSweeps(pool, [...new Set(durations)]);
    let after: SweepKey = FIRST_SWEEP;
    while (!this.#isStopped) {
      const sweeps = await takeSweeps(pool, after, nowMs, MAX_SWEEPS);
      const last = sweeps.at(-1);
      if (last === undefined) return;
      await this.#sweep(sweeps, settledTo, new Date(nowMs));
      after = last;
    }
  }

  async #sweep(sweeps: Sweep[], settledTo: string, now: Date): Promise<void> {
    const { pool } = this.#deps;
    for (let left = sweeps; left.length > 0; ) {
      const sightings = await lookThrough(pool, left, now, MAX_LOOK);
      const stuck = await this.#expireAll(sightings.filter((seen) => seen.isHeld && seen.isOver));
      const seen = groupBy(sightings, keyOf);
      const swept = left.map((sweep) => advance(sweep, seen.get(keyOf(sweep)) ?? [], stuck));
      const isLast = this.#isStopped;
      await noteSwept(
        pool,
        swept.map((sweep) => ({
          ...sweep,
          sweptTo: sweep.sweptTo < settledTo ? sweep.sweptTo : settledTo,
          isDone: sweep.isDone || isLast,
        })),
      );
      left = isLast ? [] : swept.filter(({ isDone }) => !isDone);
    }
  }

  /** Gives those that could not be expired. */
  async #expireAll(overdue: Sighting[]): Promise<Set<string>> {
    const stuck = new Set<string>();
    for (let start = 0; start < overdue.length; start += MAX_AT_ONCE) {
      await Promise.all(
        overdue.slice(start, start + MAX_AT_ONCE).map(async ({ organizationId, transactionId }) => {
          if (!(await this.#expire(organizationId, transactionId))) stuck.add(transactionId);
        }),
      );
    }
    return stuck;
  }

  async #expire(organizationId: string, transactionId: string): Promise<boolean> {
    try {
      const payment = await findPayment(this.#deps, organizationId, transactionId);
      await followPayment(this.#deps, organizationId, payment, { kind: "Expiry" });
      return true;
    } catch (error) {
      // It was settled or reversed a moment before, or another process was faster. If not, the clock went back a little.
      if (isFailure(error, "INVALID_TRANSACTION"))
        return !(await isStillOpen(this.#deps.pool, organizationId, transactionId));
      this.#deps.log.error({ err: error, transactionId }, "a hold could not be expired");
      return false;
    }
  }
}

/**
 * Where a sweep goes on: after what it looked through, but not beyond a hold that is still there. Ids are
 * made a moment before the hold begins, so the last ones may be over only a moment later.
 */
export function advance(
  sweep: Sweep,
  sightings: readonly Sighting[],
  stuck: ReadonlySet<string>,
): Sweep & { isDone: boolean } {
  const open = sightings.find(
    (seen) => seen.isHeld && (!seen.isOver || stuck.has(seen.transactionId)),
  );
  if (open !== undefined) return { ...sweep, sweptTo: open.transactionId, isDone: true };
  const end = sightings.find(({ isEnd }) => isEnd);
  return { ...sweep, sweptTo: end?.transactionId ?? sweep.end, isDone: end === undefined };
}

const keyOf = ({ organizationId, holdDays }: SweepKey): string => `${organizationId} ${holdDays}`;
