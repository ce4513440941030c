import fc from "fast-check";
import { expect, test } from "vitest";
import { readRetryAfterMs, retryDelayMs } from "./schedule.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

test.each([
  [1, 5_000],
  [2, 30_000],
  [3, 120_000],
  [4, 600_000],
  [5, HOUR_MS],
  [6, 6 * HOUR_MS],
  [7, DAY_MS],
  [8, undefined],
  [9, undefined],
])("after %i failed attempts the next is made after %s ms", (failedAttempts, expected) => {
  expect(retryDelayMs(failedAttempts, 0)).toBe(expected);
});

test("jitter makes a delay up to a fifth shorter, never longer", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 7 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (failedAttempts, random) => {
        const whole = retryDelayMs(failedAttempts, 0) ?? 0;
        const delay = retryDelayMs(failedAttempts, random) ?? 0;
        expect(delay).toBeLessThanOrEqual(whole);
        expect(delay).toBeGreaterThanOrEqual(whole * 0.8 - 0.001);
      },
    ),
  );
});

test.each([
  [0, 5_000],
  [0.5, 4_500],
  [1, 4_000],
])("jitter of %d makes 5 s %d ms", (random, expected) => {
  expect(retryDelayMs(1, random)).toBe(expected);
});

test.each([
  [1, 60_000, 60_000], // longer than the schedule: honoured
  [1, 1_000, 5_000], // shorter: the schedule stands
  [7, 1_000, DAY_MS],
  [1, 30 * DAY_MS, DAY_MS], // out of reason
  [8, 60_000, undefined], // does not buy another attempt
])("after %i failures a Retry-After of %i ms gives %s ms", (failedAttempts, askedMs, expected) => {
  expect(retryDelayMs(failedAttempts, 0, askedMs)).toBe(expected);
});

const NOW = Date.parse("2026-01-31T12:00:00Z");

test.each([
  [undefined, undefined],
  ["0", 0],
  ["120", 120_000],
  ["Sat, 31 Jan 2026 12:01:00 GMT", 60_000],
  ["Sat, 31 Jan 2026 11:00:00 GMT", 0],
  ["", undefined],
  ["-5", undefined],
  ["1.5", undefined],
  ["soon", undefined],
  ["99999999999", 99_999_999_999_000],
  ["2026-01-31", undefined],
])("Retry-After: %s", (header, expected) => {
  expect(readRetryAfterMs(header, NOW)).toBe(expected);
});
