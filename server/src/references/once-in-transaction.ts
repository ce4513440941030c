import type pg from "pg";
import { isConflict } from "../db/errors.ts";
import { transaction } from "../db/transaction.ts";
import { codes } from "../foundation/codes.ts";
import { type Claim, judge } from "./claim.ts";
import type { ReferenceDeps } from "./service.ts";
import { findOne, holdGeneration, recordOne } from "./store.ts";

const CONFLICT_TRIES = 5;

/**
 * For changes that move no money: runs `work` in a plain transaction that also records the success of
 * the Reference, so that a crash leaves both or neither. `resourceId` names what it makes; `completedAt` is for
 * work that moves the clock itself, so that its 24 hours begin where the clock is then.
 */
export async function onceInTransaction<T>(
  deps: ReferenceDeps,
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
  { pool, clock }: ReferenceDeps,
  claim: Claim,
  work: (tx: pg.PoolClient) => Promise<T>,
  resourceId: string | undefined,
  completedAt: ((answer: T) => Date) | undefined,
): Promise<T> {
  return transaction(pool, async (tx) => {
    await holdGeneration(tx);
    const now = clock.now();
    const known = await findOne(tx, claim);
    const usedUp = judge(claim, known, now.getTime());
    if (usedUp !== undefined) throw usedUp;

    const answer = await work(tx);
    const { code: responseCode, httpStatus } = codes.SUCCESS;
    const outcome = { state: "Succeeded" as const, httpStatus, responseCode, resourceId };
    const seenAttempt = known?.attempt ?? 0;
    const at = completedAt?.(answer) ?? now;
    await recordOne(tx, { claim, outcome, seenAttempt }, at);
    return answer;
  });
}
