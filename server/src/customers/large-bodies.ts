import type { FastifyReply, FastifyRequest, preParsingAsyncHookHandler } from "fastify";
import { Failure } from "../foundation/failure.ts";
import { Gate } from "../foundation/gate.ts";

/** For a document's two images in Base64, and a little more. */
export const MAX_KYC_BODY_BYTES = 10 * 1024 * 1024;
/** A body that every other route takes as well need not wait. */
const SMALL_BODY_BYTES = 256 * 1024;

const MAX_AT_ONCE = 4;
const MAX_AT_ONCE_PER_CLIENT = 2;
const MAX_WAITING = 64;
const MAX_WAITING_PER_CLIENT = 32;
const PATIENCE_MS = 10_000;
const RETRY_AFTER_S = 5;

/**
 * Whoever is let in must send. The largest body comes more than ten times as fast if it is to be whole before its
 * request is given up, and a line that stalls for a moment is forgiven.
 */
const LEAST_BYTES = 128 * 1024;
const LEAST_BYTES_WITHIN_MS = 5_000;

/**
 * Lets few large bodies in at a time, before they are read: each takes several times its size in
 * memory until it is answered.
 */
export function fewLargeBodies(): preParsingAsyncHookHandler {
  const gate = new Gate({
    maxInside: MAX_AT_ONCE,
    maxInsidePerKey: MAX_AT_ONCE_PER_CLIENT,
    maxWaiting: MAX_WAITING,
    maxWaitingPerKey: MAX_WAITING_PER_CLIENT,
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
    refuseIfSlow(request, reply, gone.signal);
    return payload;
  };
}

/** Ends a request whose body does not come, so that others get its place. */
function refuseIfSlow({ raw }: FastifyRequest, reply: FastifyReply, gone: AbortSignal): void {
  let received = raw.socket.bytesRead;
  const look = setInterval(() => {
    const { bytesRead } = raw.socket;
    const isSlow = bytesRead - received < LEAST_BYTES;
    received = bytesRead;
    if (raw.complete || isSlow) clearInterval(look);
    if (raw.complete || !isSlow) return;
    // Nobody waits for the rest of it.
    reply.header("connection", "close");
    raw.emit("error", new Failure("SERVICE_MALFUNCTION", TOO_SLOW));
  }, LEAST_BYTES_WITHIN_MS);
  // Whoever reads the body hears of it; if nobody does any more, it is being answered already.
  raw.on("error", () => undefined);
  if (gone.aborted) clearInterval(look);
  gone.addEventListener("abort", () => clearInterval(look), { once: true });
}

const TOO_SLOW = {
  message: "The body is being sent too slowly; try again later",
  retryAfterS: RETRY_AFTER_S,
};

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
