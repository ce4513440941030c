import type { FastifyInstance } from "fastify";
import type { Metrics } from "./metrics.ts";

declare module "fastify" {
  interface FastifyReply {
    /** The responseCode of the envelope; empty outside of it. */
    responseCode: string;
  }
}

/** One line and one observation per request, when it has been answered. Never a header, never a body. */
export function logRequests(app: FastifyInstance, listener: string, metrics: Metrics): void {
  app.decorateReply("responseCode", "");
  app.addHook("onResponse", (request, reply, done) => {
    const { responseCode, statusCode, elapsedTime } = reply;
    const route = request.routeOptions.url ?? "unknown";
    metrics.observeRequest(listener, route, statusCode, responseCode, elapsedTime);
    request.log.info(
      {
        requestId: request.id,
        method: request.method,
        route,
        status: statusCode,
        code: responseCode,
        ms: Math.round(elapsedTime * 100) / 100,
        client: request.caller?.clientId,
        reference: request.caller?.claim.reference,
      },
      "answered",
    );
    done();
  });
}
