import { expect, test } from "vitest";
import { durationText, exactDurationText, readDuration } from "./duration.ts";

test.each([
  [1, "1 second"],
  [90, "90 seconds"],
  [180, "3 minutes"],
  [86_400, "24 hours"],
  [62 * 86_400, "62 days"],
  [62 * 86_400 + 0.4, "62 days"],
])("%d seconds are %s", (seconds, text) => {
  expect(durationText(seconds)).toBe(text);
});

test.each([
  [1, "1 second"],
  [8, "8 seconds"],
  [90, "90 seconds"],
  [60, "1 minute"],
  [49 * 3_600, "49 hours"],
  [8 * 86_400, "8 days"],
])("%d seconds are just %s", (seconds, text) => {
  expect(exactDurationText(seconds)).toBe(text);
  expect(readDuration(text)).toBe(seconds);
});
