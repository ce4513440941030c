import type { Outcome } from "../../outbound/outcome.ts";
import type { Delivery } from "./delivery.ts";
import type { AttemptResult } from "./results.ts";
import { readRetryAfterMs, retryDelayMs } from "./schedule.ts";

/** Whether a receiver has taken a message: any 2xx, whatever else it says. */
export function isAcknowledged(outcome: Outcome): boolean {
  return outcome.isAnswer && outcome.status >= 200 && outcome.status < 300;
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
