import type { FastifyInstance } from "fastify";
import { Failure } from "../foundation/failure.ts";
import { parseStrictJson } from "../foundation/strict-json.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** The body as it was sent: what a retry must repeat to the byte. */
    rawBody: Buffer | undefined;
  }
}

const strictUtf8 = new TextDecoder("utf-8", { fatal: true });

/** Bodies are strict JSON, whatever the method; anything else is an invalid request. */
export function readJsonBodies(app: FastifyInstance): void {
  app.decorateRequest("rawBody", undefined);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    /^application\/json\s*(;|$)/i,
    { parseAs: "buffer" },
    (request, body, done) => {
      const bytes = body as Buffer;
      request.rawBody = bytes;
      if (bytes.length === 0) return done(null, undefined);
      try {
        done(null, parseStrictJson(decode(bytes)));
      } catch (error) {
        done(error as Error);
      }
    },
  );
}

function decode(bytes: Buffer): string {
  try {
    return strictUtf8.decode(bytes);
  } catch {
    const message = "The body is not valid UTF-8";
    throw new Failure("INVALID_REQUEST", { errors: [{ field: "body", message }] });
  }
}
