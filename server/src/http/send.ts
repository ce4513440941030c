import type { OutgoingHttpHeaders } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { FastifyReply } from "fastify";
import { codes } from "../foundation/codes.ts";
import type { Log } from "../foundation/log.ts";
import type { Streamed } from "./envelope.ts";
import { partIfStopping } from "./listener.ts";

/**
 * Sends what is JSON already, with the headers that the handler has set. Fastify would look for
 * serializers and hooks on the way, of which there are none.
 */
export function sendJson(reply: FastifyReply, status: number, text: string): void {
  reply.hijack();
  const headers = reply.getHeaders() as OutgoingHttpHeaders;
  headers["content-type"] = "application/json; charset=utf-8";
  const bytes = Buffer.byteLength(text);
  headers["content-length"] = bytes;
  partIfStopping(reply.raw);
  // ASCII, as nearly every answer is, is the same in both encodings, and Latin-1 need not be counted again.
  const encoding = bytes === text.length ? "latin1" : "utf8";
  const response = reply.raw.writeHead(status, headers);
  // Written and let go before the end: an answer that comes with the end is put together from two pieces.
  response.write(text, encoding);
  response.socket?.uncork();
  response.end();
}

/** For a simulator: the connection ends where the answer would have begun, whatever the answer is. */
export function loseAnswer({ raw }: FastifyReply): void {
  raw.writeHead = () => raw.destroy();
}

/**
 * Sends pieces as fast as they are taken, holding few at a time. Once it has begun, the only way to say that
 * something went wrong is to break off, which no client takes for a complete answer.
 */
export function sendPieces(reply: FastifyReply, { contentType, pieces }: Streamed, log: Log): void {
  reply.hijack();
  const headers = { "content-type": contentType, ...reply.getHeaders() } as OutgoingHttpHeaders;
  partIfStopping(reply.raw);
  reply.raw.writeHead(codes.SUCCESS.httpStatus, headers);
  const requestId = reply.request.id;
  const gone = new AbortController();
  if (reply.raw.destroyed) gone.abort();
  reply.raw.once("close", () => gone.abort());
  const source = Readable.from(pieces(gone.signal), { objectMode: false });
  pipeline(source, reply.raw).catch((error: unknown) => {
    log.warn({ requestId, err: error }, "a streamed answer broke off");
  });
}
