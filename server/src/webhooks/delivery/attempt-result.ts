import { isAcknowledged, type Outcome } from "../../outbound/outcome.ts";
import type { Delivery, EndpointKey } from "./delivery.ts";
import { readRetryAfterMs, retryDelayMs } from "./schedule.ts";

/** What came of one attempt. */
export interface AttemptResult extends EndpointKey {
  eventId: string;
  /** Attempts that had failed before this one. */
  attempts: number;
  at: Date;
  httpStatus: number | null;
  error: string | null;
  durationMs: number;
  isAcknowledged: boolean;
  /** When to try again; null when it was the last attempt. */
  nextAt: Date | null;
}

/** What an attempt comes to: when it began, how it ended, and when the next one is due. */
export function resultOf(
  { organizationId, webhookEndpointId, eventId, attempts }: Delivery,
  outcome: Outcome,
  { at, now, random }: { at: Date; now: Date; random: number },
): AttemptResult {
  const retryAfter = outcome.isAnswer ? outcome.retryAfter : undefined;
  const delayMs = retryDelayMs(attempts + 1, random, readRetryAfterMs(retryAfter, Date.now()));
  return {
    organizationId,
    webhookEndpointId,
    eventId,
    attempts,
    at,
    httpStatus: outcome.status ?? null,
    error: outcome.isAnswer ? null : outcome.message,
    durationMs: outcome.durationMs,
    isAcknowledged: isAcknowledged(outcome),
    nextAt: delayMs === undefined ? null : new Date(now.getTime() + delayMs),
  };
}
