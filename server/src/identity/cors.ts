import type { FastifyInstance } from "fastify";
import type { Addresses } from "../http/addresses.ts";

/**
 * Lets the sandbox's reference page, which the API serves from another origin, fetch a token for its
 * "Try it" forms. Nothing else is allowed, and production allows nothing.
 */
export function allowReferencePage(app: FastifyInstance, addresses: Pick<Addresses, "api">): void {
  app.addHook("onRequest", async (request, reply) => {
    const { origin } = request.headers;
    if (origin === undefined || !originsOf(addresses.api).includes(origin)) return;
    reply.header("access-control-allow-origin", origin).header("vary", "Origin");
    const isPreflight =
      request.method === "OPTIONS" && "access-control-request-method" in request.headers;
    if (!isPreflight) return;
    await reply
      .code(204)
      .header("access-control-allow-methods", "POST")
      .header("access-control-allow-headers", "authorization")
      .header("access-control-max-age", "600")
      .send();
  });
}

/** People open the page by either name of this machine. */
function originsOf(api: string): string[] {
  const { origin } = new URL(api);
  return [
    origin,
    origin.replace("127.0.0.1", "localhost"),
    origin.replace("localhost", "127.0.0.1"),
  ];
}
