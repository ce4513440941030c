import type { preParsingAsyncHookHandler } from "fastify";
import { Failure } from "../foundation/failure.ts";
import { Gate } from "../foundation/gate.ts";

/** For a document's two images in Base64, and a little more. */
export const MAX_KYC_BODY_BYTES = 10 * 1024 * 1024;
/** A body that every other route takes as well need not wait. */
const SMALL_BODY_BYTES = 256 * 1024;

const MAX_AT_ONCE = 4;
const MAX_AT_ONCE_PER_CLIENT = 2;
const MAX_WAITING = 64;
const PATIENCE_MS = 10_000;
const RETRY_AFTER_S = 5;

/**
 * Lets few large bodies in at a time, before they are read: each takes several times its size in
 * memory until it is answered.
 */
export function fewLargeBodies(): preParsingAsyncHookHandler {
  const gate = new Gate({
    maxInside: MAX_AT_ONCE,
    maxInsidePerKey: MAX_AT_ONCE_PER_CLIENT,
    maxWaiting: MAX_WAITING,
    patienceMs: PATIENCE_MS,
  });
  return async (request, reply, payload) => {
    if (takesNoMemory(request.headers["content-length"])) return payload;
    const gone = new AbortController();
    if (reply.raw.destroyed) gone.abort();
    reply.raw.once("close", () => gone.abort());
    const leave = await gate.enter(request.caller.clientId, gone.signal).catch(refuseBusy);
    if (gone.signal.aborted) leave();
    gone.signal.addEventListener("abort", leave, { once: true });
    return payload;
  };
}

/** A body above the limit is discarded as it comes. One without a length may be of any size. */
function takesNoMemory(contentLength: string | undefined): boolean {
  if (contentLength === undefined) return false;
  const bytes = Number(contentLength);
  return bytes <= SMALL_BODY_BYTES || bytes > MAX_KYC_BODY_BYTES;
}

function refuseBusy(): never {
  throw new Failure("SERVICE_MALFUNCTION", {
    message: "Too many documents are being received; try again later",
    retryAfterS: RETRY_AFTER_S,
  });
}
