import { DAY_MS } from "../../foundation/dates.ts";

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** How long after each failed attempt the next one is made. After the last nothing more is tried. */
const RETRY_DELAYS_MS = [
  5 * SECOND_MS,
  30 * SECOND_MS,
  2 * MINUTE_MS,
  10 * MINUTE_MS,
  HOUR_MS,
  6 * HOUR_MS,
  DAY_MS,
];

/** What failed together does not return together: up to so much of a delay is left out at random. */
const JITTER = 0.2;

const MAX_RETRY_AFTER_MS = DAY_MS;

/** Nothing is put off for longer. */
export const LONGEST_DELAY_MS = Math.max(...RETRY_DELAYS_MS, MAX_RETRY_AFTER_MS);

/** An endpoint that has only failed for so long is disabled. */
export const DISABLE_AFTER_MS = 5 * DAY_MS;

/**
 * How long to wait after so many failed attempts, or nothing when that was the last. A receiver may ask
 * for more time, within reason, but not for less. `random` is from 0 to 1.
 */
export function retryDelayMs(
  failedAttempts: number,
  random: number,
  retryAfterMs = 0,
): number | undefined {
  const delayMs = RETRY_DELAYS_MS[failedAttempts - 1];
  if (delayMs === undefined) return undefined;
  return Math.max(delayMs * (1 - JITTER * random), Math.min(retryAfterMs, MAX_RETRY_AFTER_MS));
}

/** Reads a Retry-After header: seconds, or a date as HTTP writes it. `nowMs` is real time, as the header is. */
export function readRetryAfterMs(header: string | undefined, nowMs: number): number | undefined {
  if (header === undefined) return undefined;
  if (/^\d+$/.test(header)) return Number(header) * SECOND_MS;
  const at = /^[A-Za-z]{3}, .* GMT$/.test(header) ? Date.parse(header) : Number.NaN;
  return Number.isNaN(at) ? undefined : Math.max(at - nowMs, 0);
}
