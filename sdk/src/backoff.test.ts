import { expect, test } from "vitest";
import { delayBefore, retryAfterOf } from "./backoff.ts";

test.each([
  [1, undefined, 0, 125],
  [1, undefined, 1, 250],
  [2, undefined, 1, 500],
  [3, undefined, 0, 500],
  [20, undefined, 1, 8000], // However often, never longer than this.
  [1, 2000, 1, 2250], // Not before the service wants us back.
  [1, 60_001, 1, undefined], // No caller waits for that.
])("before retry %i, asked for %o ms, at chance %i: %o ms", (retry, askedMs, chance, expected) => {
  expect(delayBefore(retry, 250, askedMs, chance)).toBe(expected);
});

const now = Date.parse("2026-01-31T12:00:00Z");
test.each([
  [undefined, undefined],
  ["", undefined],
  ["3", 3000],
  ["Sat, 31 Jan 2026 12:00:05 GMT", 5000],
  ["Sat, 31 Jan 2026 11:00:00 GMT", 0],
  ["soon", undefined],
])("Retry-After %o is %o ms", (value, expected) => {
  const headers = new Headers(value === undefined ? {} : { "retry-after": value });
  expect(retryAfterOf(headers, now)).toBe(expected);
});
