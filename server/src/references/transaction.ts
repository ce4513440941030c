import type pg from "pg";
import { isConflict } from "../db/errors.ts";
import type { Pool } from "../db/pool.ts";
import { transaction } from "../db/transaction.ts";
import type { Clock } from "../foundation/clock.ts";
import { codes } from "../foundation/codes.ts";
import { type Claim, judge } from "./claim.ts";
import { findOne, GENERATION_LOCK, recordOutcomes } from "./store.ts";

const CONFLICT_TRIES = 5;

export interface OnceInTransactionDeps {
  pool: Pool;
  clock: Clock;
}

/**
 * For changes that move no money: runs `work` in a plain transaction that also records the success of
 * the Reference, so that a crash leaves both or neither. `resourceId` names what it makes; `completedAt` is for
 * work that moves the clock itself, so that its 24 hours begin where the clock is then.
 */
export async function onceInTransaction<T>(
  deps: OnceInTransactionDeps,
  claim: Claim,
  work: (tx: pg.PoolClient) => Promise<T>,
  resourceId?: string,
  completedAt?: (answer: T) => Date,
): Promise<T> {
  for (let triesLeft = CONFLICT_TRIES; ; triesLeft--) {
    try {
      const result = await attempt(deps, claim, work, resourceId, completedAt);
      claim.settled = true;
      return result;
    } catch (error) {
      // Another process settled this Reference meanwhile: judged again, it is found used up.
      if (!isConflict(error) || triesLeft === 0) throw error;
    }
  }
}

function attempt<T>(
  { pool, clock }: OnceInTransactionDeps,
  claim: Claim,
  work: (tx: pg.PoolClient) => Promise<T>,
  resourceId: string | undefined,
  completedAt: ((answer: T) => Date) | undefined,
): Promise<T> {
  return transaction(pool, async (tx) => {
    await tx.query("select pg_advisory_xact_lock_shared($1)", [GENERATION_LOCK]);
    const now = clock.now();
    const known = await findOne(tx, claim);
    const usedUp = judge(claim, known, now.getTime());
    if (usedUp !== undefined) throw usedUp;

    const answer = await work(tx);
    const { code: responseCode, httpStatus } = codes.SUCCESS;
    const outcome = { state: "Succeeded" as const, httpStatus, responseCode, resourceId };
    const seenAttempt = known?.attempt ?? 0;
    const at = completedAt?.(answer) ?? now;
    const { text, values } = recordOutcomes([{ claim, outcome, seenAttempt }], at);
    await tx.query(text, values);
    return answer;
  });
}
