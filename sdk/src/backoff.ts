const LONGEST_BACKOFF_MS = 8000;
const LONGEST_RETRY_AFTER_MS = 60_000;

/**
 * How long to wait before the next attempt, or undefined if the service asks for more patience than a
 * caller will have. At least half of each wait is certain; the rest is random, so that many clients who
 * failed together do not come back together.
 */
export function delayBefore(
  retry: number,
  backoffMs: number,
  retryAfterMs: number | undefined,
  random = Math.random(),
): number | undefined {
  if (retryAfterMs !== undefined && retryAfterMs > LONGEST_RETRY_AFTER_MS) return undefined;
  const wholeMs = Math.min(backoffMs * 2 ** (retry - 1), LONGEST_BACKOFF_MS);
  const jitteredMs = Math.round(wholeMs / 2 + (wholeMs / 2) * random);
  return (retryAfterMs ?? 0) + jitteredMs;
}

/** Retry-After: a number of seconds, or a date. */
export function retryAfterOf(headers: Headers, now = Date.now()): number | undefined {
  const value = headers.get("retry-after");
  if (value === null || value === "") return undefined;
  const ms = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - now;
  return Number.isNaN(ms) ? undefined : Math.max(ms, 0);
}
