import type { FastifyRequest } from "fastify";
import { isUnavailable } from "../db/errors.ts";
import { Complaints } from "../foundation/complaints.ts";
import { briefly, type Log, writeInfo } from "../foundation/log.ts";
import { redactText } from "../foundation/redact.ts";
import type { SpanExporter } from "../tracing/exporter.ts";
import { newSpanId, readTraceContext } from "../tracing/span.ts";
import type { Metrics } from "./metrics.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** In monotonic time; 0, or not even there, for a request that no route was found for. */
    receivedMs: number;
    /** The route's path as it was declared, where it is known: asking Fastify for it is slow. */
    routeUrl: string | undefined;
  }
}

export interface AnswerLogDeps {
  listener: "api" | "identity" | "dashboard";
  log: Log;
  metrics: Metrics;
  /** Where spans go, if a collector is configured. */
  exporter: SpanExporter | undefined;
  /** What clients are shown of their own requests. */
  requestLog?: { note(request: FastifyRequest, status: number, code: string, ms: number): void };
}

/**
 * Tells operators of every answer: one line, one observation, one span. It is called where answers are
 * made rather than from a hook, because a hook costs every request more than the line itself. Headers and
 * bodies are never told.
 */
export class AnswerLog {
  readonly #deps: AnswerLogDeps;
  readonly #complaints = new Complaints();

  constructor(deps: AnswerLogDeps) {
    this.#deps = deps;
  }

  get log(): Log {
    return this.#deps.log;
  }

  received(request: FastifyRequest): void {
    request.receivedMs = performance.now();
  }

  /** Tells why a request failed; an outage fails many in one place, and neither a line nor a stack for each says more. */
  failed({ id: requestId }: FastifyRequest, error: unknown, message: string): void {
    const { log } = this.#deps;
    if (!isUnavailable(error)) log.error({ requestId, err: error }, message);
    else if (this.#complaints.mayTell("outage")) {
      log.error({ requestId, reason: briefly(error) }, message);
    }
  }

  answered(request: FastifyRequest, status: number, code: string): void {
    const { listener, log, metrics, exporter, requestLog } = this.#deps;
    const ms = request.receivedMs > 0 ? performance.now() - request.receivedMs : 0;
    const route = request.routeUrl ?? request.routeOptions?.url ?? "unknown";
    metrics.requests.observe(listener, route, status, code, ms);
    writeInfo(log, fieldsOf(request, route, status, code, ms), "answered");
    if (requestLog !== undefined) requestLog.note(request, status, code, ms);
    if (exporter !== undefined) this.#trace(exporter, request, route, status, code, ms);
  }

  #trace(
    exporter: SpanExporter,
    request: FastifyRequest,
    route: string,
    status: number,
    code: string,
    ms: number,
  ): void {
    const { traceparent } = request.headers;
    const endMs = performance.timeOrigin + performance.now();
    exporter.add({
      ...readTraceContext(typeof traceparent === "string" ? traceparent : undefined),
      spanId: newSpanId(),
      name: `${request.method} ${route}`,
      startMs: endMs - ms,
      endMs,
      isError: status >= 500,
      attributes: {
        "http.request.method": request.method,
        "http.route": route,
        "http.response.status_code": status,
        "florin.listener": this.#deps.listener,
        "florin.request_id": request.id,
        "florin.response_code": code,
      },
    });
  }
}

/** Of all that is told, a client chooses its Reference alone; the rest needs neither escape nor redaction. */
function fieldsOf(
  { id, method, caller }: FastifyRequest,
  route: string,
  status: number,
  code: string,
  ms: number,
): string {
  const rounded = Math.round(ms * 100) / 100;
  const fields = `"requestId":"${id}","method":"${method}","route":"${route}","status":${status},"code":"${code}","ms":${rounded}`;
  if (caller === undefined) return fields;
  const reference = JSON.stringify(redactText(caller.claim.reference));
  return `${fields},"client":"${caller.clientId}","reference":${reference}`;
}
