import type { IncomingMessage } from "node:http";
import { errorCodes, type FastifyInstance } from "fastify";
import { Failure } from "../foundation/failure.ts";
import { parseStrictJson } from "../foundation/strict-json.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** The body as it was sent: what a retry must repeat to the byte. */
    rawBody: Buffer | undefined;
  }
}

/** Below any route's limit, which is slow to look up. */
const SMALL_BYTES = 16 * 1024;

/** A client that sends more than this has not merely misjudged a limit. */
const MAX_DISCARDED_BYTES = 32 * 1024 * 1024;
const MAX_DISCARD_MS = 60_000;
/** A client that asks first whether its body is welcome (Expect: 100-continue) sends nothing at all. */
const MAX_HESITATION_MS = 500;
/** A slow line may stall for a while. */
const MAX_PAUSE_MS = 5_000;

const strictUtf8 = new TextDecoder("utf-8", { fatal: true });

/**
 * Bodies are strict JSON, whatever the method; anything else is an invalid request. They are read here
 * rather than by Fastify, which waits for the end of the stream and copies what it got; a small body is
 * there as soon as its headers are.
 */
export function readJsonBodies(app: FastifyInstance): void {
  app.decorateRequest("rawBody", undefined);
  app.removeAllContentTypeParsers();
  // Some clients name a type whether or not they send anything.
  app.addContentTypeParser("*", ({ headers }, payload, done) => {
    const isEmpty =
      headers["transfer-encoding"] === undefined && Number(headers["content-length"] ?? 0) === 0;
    if (isEmpty) return done(null, undefined);
    // Chunks tell only at their end that there was nothing, as a proxy sends what came over HTTP/2.
    discard(payload, (wasEmpty) => {
      if (wasEmpty) done(null, undefined);
      else done(new errorCodes.FST_ERR_CTP_INVALID_MEDIA_TYPE());
    });
  });
  app.addContentTypeParser(/^application\/json\s*(;|$)/i, (request, payload, done) => {
    const length = Number(request.headers["content-length"]);
    const limit = length <= SMALL_BYTES ? SMALL_BYTES : request.routeOptions.bodyLimit;
    readBytes(payload, length, limit, (error, bytes) => {
      if (bytes === undefined) return done(error);
      request.rawBody = bytes;
      if (bytes.length === 0) return done(null, undefined);
      const result = parse(bytes);
      if (result instanceof Failure) done(result);
      else done(null, result);
    });
  });
}

type Read = (error: Error | null, bytes?: Buffer) => void;

/** Reads up to a length, if one was declared, or else to the end. */
function readBytes(payload: IncomingMessage, length: number, limit: number, done: Read): void {
  if (length === 0) done(null, Buffer.alloc(0));
  else if (length > limit) discard(payload, () => done(tooLarge()));
  else collect(payload, length, limit, done);
}

function collect(payload: IncomingMessage, length: number, limit: number, done: Read): void {
  const isDeclared = !Number.isNaN(length);
  const chunks: Buffer[] = [];
  let received = 0;
  const leave = (): void => {
    payload.off("data", onData).off("error", settle);
    if (!isDeclared) payload.off("end", onEnd);
  };
  const settle: Read = (error, bytes) => {
    leave();
    done(error, bytes);
  };
  const onEnd = (): void => settle(null, Buffer.concat(chunks, received));
  const onData = (chunk: Buffer): void => {
    received += chunk.length;
    if (received > limit) {
      leave();
      chunks.length = 0;
      discard(payload, () => done(tooLarge()));
    } else if (chunk.length === length) settle(null, chunk);
    else {
      chunks.push(chunk);
      if (received === length) onEnd();
    }
  };
  payload.on("data", onData).on("error", settle);
  if (!isDeclared) payload.on("end", onEnd);
}

/**
 * Reads the rest and throws it away: most clients read no answer before they have sent everything, and would
 * lose it if the connection were closed meanwhile. A client that sends nothing is waiting for the answer.
 */
function discard(payload: IncomingMessage, done: (wasEmpty: boolean) => void): void {
  let received = 0;
  let silence = setTimeout(end, MAX_HESITATION_MS);
  const total = setTimeout(end, MAX_DISCARD_MS);
  function end(): void {
    clearTimeout(silence);
    clearTimeout(total);
    payload.off("data", onData).off("end", end).off("error", end).off("close", end);
    done(received === 0 && payload.readableEnded);
  }
  function onData(chunk: Buffer): void {
    received += chunk.length;
    clearTimeout(silence);
    silence = setTimeout(end, MAX_PAUSE_MS);
    if (received > MAX_DISCARDED_BYTES) end();
  }
  payload.on("data", onData).on("end", end).on("error", end).on("close", end);
}

function parse(bytes: Buffer): unknown {
  try {
    return parseStrictJson(decode(bytes));
  } catch (error) {
    if (error instanceof Failure) return error;
    throw error;
  }
}

function decode(bytes: Buffer): string {
  try {
    return strictUtf8.decode(bytes);
  } catch {
    throw invalidBody("The body is not valid UTF-8");
  }
}

const tooLarge = (): Failure => invalidBody("The body is too large");

function invalidBody(message: string): Failure {
  return new Failure("INVALID_REQUEST", { errors: [{ field: "body", message }] });
}
