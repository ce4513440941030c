import { expect, test } from "vitest";
import { secondsUntil } from "./use-secrets.ts";

test.each([
  ["at first", 0, 30],
  ["after a tick that came late", 1_200, 29],
  ["just before the end", 29_999, 1],
  ["at the end", 30_000, 0],
  ["after a long sleep", 3_600_000, 0],
  ["when the clock was turned back", -60_000, 0],
])("a number is shown for 30 seconds: %s", (_name, passedMs, left) => {
  expect(secondsUntil(30_000, passedMs)).toBe(left);
});
