import type { FastifyInstance } from "fastify";
import type { SpanExporter } from "./exporter.ts";
import { newSpanId, readTraceContext } from "./span.ts";

/** One span for each request, as part of the caller's trace if it has one. */
export function traceRequests(
  app: FastifyInstance,
  listener: string,
  exporter: SpanExporter,
): void {
  app.addHook("onResponse", (request, reply, done) => {
    const endMs = performance.timeOrigin + performance.now();
    const route = request.routeOptions.url ?? "unknown";
    const { traceparent } = request.headers;
    exporter.add({
      ...readTraceContext(typeof traceparent === "string" ? traceparent : undefined),
      spanId: newSpanId(),
      name: `${request.method} ${route}`,
      startMs: endMs - reply.elapsedTime,
      endMs,
      isError: reply.statusCode >= 500,
      attributes: {
        "http.request.method": request.method,
        "http.route": route,
        "http.response.status_code": reply.statusCode,
        "florin.listener": listener,
        "florin.request_id": request.id,
        "florin.response_code": reply.responseCode,
      },
    });
    done();
  });
}
