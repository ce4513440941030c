import type pg from "pg";
import { isConflict } from "../db/errors.ts";
import { transaction } from "../db/transaction.ts";
import { codes } from "../foundation/codes.ts";
import { Failure } from "../foundation/failure.ts";
import { type Claim, isExpired, judge, type Known, type Outcome } from "./claim.ts";
import { waitOut } from "./patience.ts";
import type { ReferenceDeps } from "./service.ts";
import {
  extendReservation,
  findOne,
  findRequest,
  holdGeneration,
  insertReservation,
  recordOne,
  releaseReservation,
} from "./store.ts";

/**
 * What is still reserved after it belongs to a process that died: one that lives renews in time. So little that
 * whoever tries again right after a crash has most of its own time left to ask.
 */
const LEASE_MS = 3_000;
const RENEW_MS = 1_000;
const CONFLICT_TRIES = 5;

/** Work that asks somebody outside, and then writes down what came of it. */
export interface OutsideWork<Asked, Answer> {
  newResourceId(): string;
  /** Runs while no transaction is open. */
  ask(resourceId: string): Promise<Asked>;
  /** Runs in the transaction that also records the success of the Reference. */
  record(tx: pg.PoolClient, asked: Asked, resourceId: string): Promise<Answer>;
}

interface Reservation {
  attempt: number;
  resourceId: string;
}

/**
 * For work that calls outside, where no transaction may stay open: reserves the Reference, asks, and
 * records effect and success together. Whoever comes with the same Reference meanwhile waits. A retry
 * of a request that failed or was cut short gets the same `resourceId`, so that the other side
 * recognises the question. A crash leaves a reservation whose lease runs out, as nobody renews it.
 */
export async function onceAroundCall<Asked, Answer>(
  deps: ReferenceDeps,
  claim: Claim,
  work: OutsideWork<Asked, Answer>,
): Promise<Answer> {
  const reservation = await waitOut(() => tryReserve(deps, claim, work.newResourceId));
  const { resourceId } = reservation;
  const stopRenewing = keepReserved(deps, claim, reservation);
  try {
    const asked = await work.ask(resourceId);
    const answer = await settle(deps, claim, reservation, (tx) =>
      work.record(tx, asked, resourceId),
    );
    claim.settled = true;
    return answer;
  } catch (error) {
    // If this fails too, the lease runs out.
    await giveUp(deps, claim, reservation, error).catch(() => undefined);
    throw error;
  } finally {
    stopRenewing();
  }
}

/** Renews the lease until it is told to stop. Where that fails for too long, another may ask as well. */
function keepReserved({ pool }: ReferenceDeps, claim: Claim, { attempt }: Reservation): () => void {
  let isOver = false;
  let timer: NodeJS.Timeout;
  const renewLater = (): void => {
    timer = setTimeout(async () => {
      await extendReservation(pool, claim, { attempt, leaseMs: LEASE_MS }).catch(() => undefined);
      if (!isOver) renewLater();
    }, RENEW_MS);
  };
  renewLater();
  return () => {
    isOver = true;
    clearTimeout(timer);
  };
}

/** Gives the reservation, or why it must be waited for; throws when the Reference is used up. */
function tryReserve(
  { pool, clock }: ReferenceDeps,
  claim: Claim,
  newResourceId: () => string,
): Promise<Reservation | Failure> {
  return transaction(pool, async (tx) => {
    await holdGeneration(tx);
    const now = clock.now();
    const known = await findOne(tx, claim);
    const refusal = judge(claim, known, now.getTime());
    if (refusal !== undefined && known?.state === "InProgress") return refusal;
    if (refusal !== undefined) throw refusal;

    const planned = await findPlanned(tx, claim, known, now.getTime());
    const resourceId = planned ?? newResourceId();
    const seenAttempt = known?.attempt ?? 0;
    const row = { claim, resourceId, seenAttempt, leaseMs: LEASE_MS };
    if (await insertReservation(tx, row, now)) return { attempt: seenAttempt + 1, resourceId };
    return new Failure("DUPLICATE_REQUEST");
  });
}

/** What an earlier try of the very same request, which did not succeed, was going to make. */
async function findPlanned(
  tx: pg.PoolClient,
  claim: Claim,
  known: Known | undefined,
  nowMs: number,
): Promise<string | undefined> {
  if (known === undefined || isExpired(known, nowMs)) return undefined;
  if (known.digest?.equals(claim.digest()) !== true) return undefined;
  const row = await findRequest(tx, claim.clientId, claim.reference);
  return row?.resourceId ?? undefined;
}

async function settle<Answer>(
  deps: ReferenceDeps,
  claim: Claim,
  reservation: Reservation,
  work: (tx: pg.PoolClient) => Promise<Answer>,
): Promise<Answer> {
  const { code: responseCode, httpStatus } = codes.SUCCESS;
  const outcome = { state: "Succeeded" as const, httpStatus, responseCode };
  for (let triesLeft = CONFLICT_TRIES; ; triesLeft--) {
    try {
      return await withOutcome(deps, claim, reservation, outcome, work);
    } catch (error) {
      if (!isConflict(error) || triesLeft === 0) throw error;
      await expectReserved(deps, claim, reservation);
    }
  }
}

/** A process that was thought dead may find that another has taken its place. */
async function expectReserved(
  { pool, clock }: ReferenceDeps,
  claim: Claim,
  { attempt }: Reservation,
): Promise<void> {
  const known = await findOne(pool, claim);
  if (known?.attempt === attempt) return;
  throw judge(claim, known, clock.nowMs()) ?? new Failure("DUPLICATE_REQUEST");
}

/**
 * A failure is remembered, as any other request's. Where nobody knows the outcome nothing is, and the
 * Reference is free again; should the success have been committed after all, it stands.
 */
async function giveUp(
  deps: ReferenceDeps,
  claim: Claim,
  reservation: Reservation,
  error: unknown,
): Promise<void> {
  if (!(error instanceof Failure) || leavesNoTrace(error)) {
    await releaseReservation(deps.pool, claim, reservation.attempt);
    return;
  }
  const { code: responseCode, httpStatus } = error.response;
  const outcome = { state: "Failed" as const, httpStatus, responseCode };
  await withOutcome(deps, claim, reservation, outcome, async () => undefined);
  claim.settled = true;
}

const leavesNoTrace = ({ codeName, response }: Failure): boolean =>
  codeName === "SERVICE_MALFUNCTION" || response.httpStatus === 400;

/** Fails as a conflict when the Reference is not reserved for this request any more. */
function withOutcome<T>(
  { pool, clock }: ReferenceDeps,
  claim: Claim,
  { attempt, resourceId }: Reservation,
  outcome: Outcome,
  work: (tx: pg.PoolClient) => Promise<T>,
): Promise<T> {
  return transaction(pool, async (tx) => {
    await holdGeneration(tx);
    const result = await work(tx);
    const row = { claim, outcome: { ...outcome, resourceId }, seenAttempt: attempt };
    await recordOne(tx, row, clock.now());
    return result;
  });
}
