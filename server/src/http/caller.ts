import type { FastifyRequest } from "fastify";
import { type Claim, digestOf } from "../references/claim.ts";
import type { Identity } from "./authenticate.ts";

/** An authenticated client with its hold on the request's Reference. */
export interface Caller {
  organizationId: string;
  clientId: string;
  maySeeSecrets: boolean;
  claim: Claim;
  /**
   * When all of the request was there, by `performance.now()`; 0 before that. However long its body took, the wait
   * for the Reference's turn counts.
   */
  receivedMs: number;
  /** True once all checks before the handler have passed. */
  handling: boolean;
}

declare module "fastify" {
  interface FastifyRequest {
    /** Set for every request that reaches a handler. */
    caller: Caller;
  }
}

export function callerOf(identity: Identity, request: FastifyRequest): Caller {
  const { organizationId, clientId, reference, maySeeSecrets } = identity;
  const target = request.url;
  const claim: Claim = {
    clientId,
    reference,
    requestId: request.id,
    method: request.method,
    path: pathOf(target),
    digest: () => digestOf(request.method, target, request.rawBody),
    settled: false,
  };
  return { organizationId, clientId, maySeeSecrets, claim, receivedMs: 0, handling: false };
}

const LONG_NUMBER = /\d{11}/;
/** An id of ours may have as many digits in a row, and is no secret. */
const ID_OR_LONG_NUMBER = /\/[a-z]{3,4}_[0-9a-hjkmnp-tv-z]{26}(?=\/|$)|\d{11,}/g;

/** Paths are stored, and somebody will put a card or identity number into one. */
export function pathOf(target: string): string {
  const query = target.indexOf("?");
  const path = query === -1 ? target : target.slice(0, query);
  if (!LONG_NUMBER.test(path)) return path;
  return path.replace(ID_OR_LONG_NUMBER, (found) =>
    found.startsWith("/") ? found : "*".repeat(found.length),
  );
}
