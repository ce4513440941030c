import { createHash } from "node:crypto";
import { DAY_MS } from "../foundation/dates.ts";
import { Failure } from "../foundation/failure.ts";

/** From success; in service time. */
export const REFERENCE_WINDOW_MS = DAY_MS;

/** What a Reference looks like, in a header and in a path. */
export const REFERENCE_PATTERN = /^[\x21-\x7e]{1,30}$/;

/** Refuses a header that is no Reference, as one that is missing or was sent twice. */
export function readReference(reference: unknown): string {
  if (typeof reference === "string" && REFERENCE_PATTERN.test(reference)) return reference;
  const message = "must be sent once, 1 to 30 printable ASCII characters without spaces";
  throw new Failure("INVALID_REQUEST", { errors: [{ field: "Reference", message }] });
}

/** A request's hold on its Reference, carried from authentication to the commit that records it. */
export interface Claim {
  readonly clientId: string;
  readonly reference: string;
  readonly requestId: string;
  readonly method: string;
  readonly path: string;
  /** SHA-256 of method, target and body: tells a retry from another request. */
  digest(): Buffer;
  /** Set by whoever has committed an outcome, or found the Reference used up. */
  settled: boolean;
}

export interface Outcome {
  state: "Succeeded" | "Failed";
  httpStatus: number;
  responseCode: string;
  resourceId?: string | undefined;
}

/** What is known of a Reference from before. */
export interface Known {
  clientId: string;
  reference: string;
  attempt: number;
  state: "InProgress" | "Succeeded" | "Failed";
  digest: Buffer | null;
  completedAt: Date;
  /** False when the process that reserved an InProgress Reference has died. */
  leaseLive: boolean;
}

export function digestOf(method: string, target: string, body: Buffer | undefined): Buffer {
  const hash = createHash("sha256").update(`${method} ${target}\n`);
  if (body !== undefined) hash.update(body);
  return hash.digest();
}

/** Whether a claim may proceed given what is known of its Reference; a refusal is always 139. */
export function judge(claim: Claim, known: Known | undefined, nowMs: number): Failure | undefined {
  if (known === undefined || isExpired(known, nowMs)) return undefined;
  if (known.state === "Succeeded") return alreadySeen();
  if (known.state === "InProgress") return known.leaseLive ? stillInProgress() : undefined;
  if (known.digest !== null && !known.digest.equals(claim.digest())) return payloadChanged();
  return undefined;
}

/** What is being worked on does not expire, however far the clock is moved meanwhile. */
export function isExpired(
  { state, leaseLive, completedAt }: Pick<Known, "state" | "leaseLive" | "completedAt">,
  nowMs: number,
): boolean {
  if (state === "InProgress" && leaseLive) return false;
  return completedAt.getTime() + REFERENCE_WINDOW_MS <= nowMs;
}

function alreadySeen(): Failure {
  return new Failure("DUPLICATE_REQUEST", {
    message: "Reference value has already been seen in the last 24 hours",
  });
}

function payloadChanged(): Failure {
  return new Failure("DUPLICATE_REQUEST", {
    message:
      "Reference value belongs to a failed request whose payload was another; retry it unchanged or use a new Reference",
  });
}

function stillInProgress(): Failure {
  return new Failure("DUPLICATE_REQUEST", {
    message: "Reference value belongs to a request that is still in progress",
  });
}
