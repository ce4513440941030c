import type { Pool } from "../db/pool.ts";
import type { Clock } from "../foundation/clock.ts";
import { type Claim, isExpired, judge } from "./claim.ts";
import type { InFlight } from "./in-flight.ts";
import { waitOut } from "./patience.ts";
import { findOne, findRequest } from "./store.ts";

/** What it takes to let a request run once. */
export interface ReferenceDeps {
  pool: Pool;
  clock: Clock;
}

export interface RequestDescription {
  reference: string;
  state: "InProgress" | "Succeeded" | "Failed" | "Unknown";
  method: string | null;
  path: string | null;
  httpStatus: number | null;
  responseCode: string | null;
  resourceId: string | null;
  completedAt: string | null;
}

/** What became of a client's request, as far as the last 24 hours can tell. */
export async function describeRequest(
  { pool, clock, inFlight }: ReferenceDeps & { inFlight: InFlight },
  clientId: string,
  reference: string,
): Promise<RequestDescription> {
  const nothing = { httpStatus: null, responseCode: null, resourceId: null, completedAt: null };
  // Looked for first: what ends meanwhile has its row by then.
  const running = inFlight.find(clientId, reference);
  const row = await findRequest(pool, clientId, reference);
  const isOver = row !== undefined && isExpired(row, clock.nowMs());
  // What runs after a success is a repetition, which changes nothing any more.
  const isDone = row?.state === "Succeeded" && !isOver;
  if (running !== undefined && !isDone) {
    const { method, path } = running;
    return { reference, state: "InProgress", method, path, ...nothing };
  }
  const isAbandoned = row?.state === "InProgress" && !row.leaseLive;
  if (row === undefined || isOver || isAbandoned) {
    return { reference, state: "Unknown", method: null, path: null, ...nothing };
  }
  const { state, method, path, httpStatus, responseCode } = row;
  // Until it succeeds, a request has at most a name for what it would make.
  const resourceId = state === "Succeeded" ? row.resourceId : null;
  const completedAt = state === "InProgress" ? null : row.completedAt.toISOString();
  return { reference, state, method, path, httpStatus, responseCode, resourceId, completedAt };
}

/**
 * Throws when a Reference is used up; for work that has to look before the engine does. What another process is still
 * working on is waited for, so that the refusal tells what became of it.
 */
export async function refuseUsedUp({ pool, clock }: ReferenceDeps, claim: Claim): Promise<void> {
  await waitOut(async () => {
    const known = await findOne(pool, claim);
    const usedUp = judge(claim, known, clock.nowMs());
    if (usedUp !== undefined && known?.state !== "InProgress") throw usedUp;
    return usedUp;
  });
}
