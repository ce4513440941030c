import type { HeadersLike } from "../webhooks/signing.ts";
import { type Arrived, BodyTooLarge, MAX_BODY_BYTES, type Reply } from "./exchange.ts";

const JSON_TYPE = "application/json";

type Handle = (arrived: Arrived) => Promise<Reply>;

/** What Express and Node's own server have in common. */
export interface NodeRequest extends AsyncIterable<Uint8Array | string> {
  method?: string | undefined;
  headers: Record<string, string | string[] | undefined>;
}

export interface NodeResponse {
  statusCode: number;
  setHeader(name: string, value: string): unknown;
  end(body: string): unknown;
}

export type ExpressHandler = (request: NodeRequest, response: NodeResponse) => Promise<void>;

/** The little of Fastify that is needed. */
export interface FastifyLike {
  removeAllContentTypeParsers(): void;
  addContentTypeParser(
    type: string,
    options: { parseAs: "buffer"; bodyLimit: number },
    parse: (
      request: unknown,
      body: Uint8Array,
      done: (error: Error | null, body?: unknown) => void,
    ) => void,
  ): unknown;
  post(
    path: string,
    handler: (request: FastifyRequestLike, reply: FastifyReplyLike) => Promise<unknown>,
  ): unknown;
}

export interface FastifyRequestLike {
  headers: HeadersLike;
  body: unknown;
}

export interface FastifyReplyLike {
  code(status: number): FastifyReplyLike;
  header(name: string, value: string): FastifyReplyLike;
  send(body: string): unknown;
}

export type FastifyPlugin = (instance: FastifyLike, options: unknown, done: () => void) => void;

export function toFetch(handle: Handle): (request: Request) => Promise<Response> {
  return async (request) => {
    const body = collect(request.body === null ? [] : piecesOf(request.body));
    const { method, headers } = request;
    const { status, body: text } = await handle({ method, headers, body });
    return new Response(text, { status, headers: { "content-type": JSON_TYPE } });
  };
}

export function toExpress(handle: Handle): ExpressHandler {
  return async (request, response) => {
    const { method = "", headers } = request;
    const { status, body } = await handle({ method, headers, body: rawBody(request) });
    response.statusCode = status;
    response.setHeader("content-type", JSON_TYPE);
    response.end(body);
  };
}

export function toFastify(handle: Handle, path: string): FastifyPlugin {
  return (instance, _options, done) => {
    // The signature is over the body as it arrived, so nothing here may parse it first.
    instance.removeAllContentTypeParsers();
    const options = { parseAs: "buffer", bodyLimit: MAX_BODY_BYTES } as const;
    instance.addContentTypeParser("*", options, (_request, body, parsed) => parsed(null, body));
    instance.post(path, async ({ headers, body }, reply) => {
      const bytes = body instanceof Uint8Array ? body : new Uint8Array();
      const { status, body: text } = await handle({ method: "POST", headers, body: bytes });
      return reply.code(status).header("content-type", JSON_TYPE).send(text);
    });
    done();
  };
}

/** The body of an Express request: as `express.raw()` left it, or still to be read. */
async function rawBody(request: NodeRequest): Promise<string | Uint8Array> {
  const body = "body" in request ? request.body : undefined;
  if (typeof body === "string" || body instanceof Uint8Array) return body;
  const isRead = "readableEnded" in request && request.readableEnded === true;
  if (isRead) throw new Error("Something has parsed the body: put this before any body parser.");
  return collect(request);
}

async function collect(
  pieces: AsyncIterable<Uint8Array | string> | Iterable<Uint8Array>,
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const piece of pieces) {
    const chunk = typeof piece === "string" ? new TextEncoder().encode(piece) : piece;
    length += chunk.length;
    if (length > MAX_BODY_BYTES) throw new BodyTooLarge();
    chunks.push(chunk);
  }
  const all = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    all.set(chunk, at);
    at += chunk.length;
  }
  return all;
}

/** Not every runtime can iterate over a stream. */
async function* piecesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}
