import { expect, test } from "vitest";
import { durationText } from "./duration.ts";

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
