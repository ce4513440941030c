import { randomBytes } from "node:crypto";

/** One finished piece of work, as OpenTelemetry describes it. */
export interface Span {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  startMs: number;
  endMs: number;
  isError: boolean;
  attributes: Record<string, string | number>;
}

export interface TraceContext {
  traceId: string;
  parentSpanId?: string;
}

/** The caller's trace, from a W3C `traceparent` header; else a new one. */
export function readTraceContext(traceparent: string | undefined): TraceContext {
  const parts = /^00-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}$/.exec(traceparent ?? "");
  const [, traceId, parentSpanId] = parts ?? [];
  if (
    traceId === undefined ||
    parentSpanId === undefined ||
    isZero(traceId) ||
    isZero(parentSpanId)
  ) {
    return { traceId: randomBytes(16).toString("hex") };
  }
  return { traceId, parentSpanId };
}

export const newSpanId = (): string => randomBytes(8).toString("hex");

const isZero = (hex: string): boolean => /^0+$/.test(hex);
