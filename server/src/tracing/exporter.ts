import { FailureLog } from "../foundation/failure-log.ts";
import type { Log } from "../foundation/log.ts";
import type { Span } from "./span.ts";

const FLUSH_MS = 2_000;
const MAX_WAITING = 10_000;
const MAX_PER_POST = 1_000;
const POST_TIMEOUT_MS = 5_000;

/**
 * Sends spans to an OpenTelemetry collector as OTLP over HTTP with JSON. The whole protocol is one POST,
 * so it is made here; the official exporter would more than double what Florin installs. Tracing never
 * gets in the way: spans that the collector does not take in time are dropped.
 */
export class SpanExporter {
  readonly #url: string;
  readonly #failures: FailureLog;
  readonly #timer: NodeJS.Timeout;
  #waiting: Span[] = [];

  constructor(endpoint: string, log: Log) {
    this.#url = `${endpoint}/v1/traces`;
    this.#failures = new FailureLog(log, "traces", "the trace collector does not answer");
    this.#timer = setInterval(() => void this.flush(), FLUSH_MS);
    this.#timer.unref();
  }

  add(span: Span): void {
    if (this.#waiting.length < MAX_WAITING) this.#waiting.push(span);
  }

  async flush(): Promise<void> {
    while (this.#waiting.length > 0) {
      const spans = this.#waiting.splice(0, MAX_PER_POST);
      try {
        await this.#post(spans);
        this.#failures.worked();
      } catch (error) {
        this.#failures.failed(error);
        return;
      }
    }
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.flush();
  }

  async #post(spans: Span[]): Promise<void> {
    const answer = await fetch(this.#url, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(toOtlp(spans)),
      signal: AbortSignal.timeout(POST_TIMEOUT_MS),
    });
    await answer.body?.cancel();
    if (!answer.ok) throw new Error(`The collector answered ${answer.status}.`);
  }
}

const SERVER_KIND = 2;
const STATUS_ERROR = 2;

export function toOtlp(spans: Span[]): unknown {
  return {
    resourceSpans: [
      {
        resource: { attributes: attributesOf({ "service.name": "florin" }) },
        scopeSpans: [
          {
            scope: { name: "florin" },
            spans: spans.map((span) => ({
              traceId: span.traceId,
              spanId: span.spanId,
              ...(span.parentSpanId === undefined ? {} : { parentSpanId: span.parentSpanId }),
              name: span.name,
              kind: SERVER_KIND,
              startTimeUnixNano: nanoseconds(span.startMs),
              endTimeUnixNano: nanoseconds(span.endMs),
              attributes: attributesOf(span.attributes),
              status: span.isError ? { code: STATUS_ERROR } : {},
            })),
          },
        ],
      },
    ],
  };
}

function attributesOf(attributes: Record<string, string | number>): unknown[] {
  return Object.entries(attributes).map(([key, value]) => ({
    key,
    value: typeof value === "string" ? { stringValue: value } : { intValue: String(value) },
  }));
}

/** Microseconds are as fine as the clock is. */
const nanoseconds = (ms: number): string => `${BigInt(Math.round(ms * 1000))}000`;
