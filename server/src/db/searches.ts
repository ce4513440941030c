import { Failure } from "../foundation/failure.ts";
import { Gate } from "../foundation/gate.ts";
import type { Pool } from "./pool.ts";

/** As many as a client may send at once by default. */
const MAX_WAITING_PER_ORGANIZATION = 200;
const MAX_WAITING = 2_000;
const PATIENCE_MS = 10_000;
const RETRY_AFTER_S = 2;

/**
 * Runs one of an organization's searches, or waits until its turn. All searches together leave half of the pool
 * to everything else, and one organization's leave half of that to the others: however slow they are, whoever
 * else comes finds a connection. Not to be nested, for one that waits within another could wait for itself.
 */
export async function searchInTurn<T>(
  pool: Pool,
  organizationId: string,
  search: () => Promise<T>,
): Promise<T> {
  const nobodyGivesUp = new AbortController().signal;
  const leave = await gateOf(pool).enter(organizationId, nobodyGivesUp).catch(refuseBusy);
  return leaveAfter(search, leave);
}

/**
 * For what follows in an answer that has begun: it waits until its turn comes or its client is gone, since a slow
 * file is better than half of one. How many wait so is bounded by the connections that clients may have.
 */
export async function searchInTurnHoweverLate<T>(
  pool: Pool,
  organizationId: string,
  gone: AbortSignal,
  search: () => Promise<T>,
): Promise<T> {
  const leave = await gateOf(pool).enterHoweverLate(organizationId, gone);
  return leaveAfter(search, leave);
}

async function leaveAfter<T>(search: () => Promise<T>, leave: () => void): Promise<T> {
  try {
    return await search();
  } finally {
    leave();
  }
}

const gates = new WeakMap<Pool, Gate>();

function gateOf(pool: Pool): Gate {
  const known = gates.get(pool);
  if (known !== undefined) return known;
  const half = (count: number): number => Math.max(1, Math.floor(count / 2));
  const maxInside = half(pool.options.max);
  const gate = new Gate({
    maxInside,
    maxInsidePerKey: half(maxInside),
    maxWaiting: MAX_WAITING,
    maxWaitingPerKey: MAX_WAITING_PER_ORGANIZATION,
    patienceMs: PATIENCE_MS,
  });
  gates.set(pool, gate);
  return gate;
}

function refuseBusy(): never {
  throw new Failure("SERVICE_MALFUNCTION", {
    message: "Too many searches are under way; try again later",
    retryAfterS: RETRY_AFTER_S,
  });
}
