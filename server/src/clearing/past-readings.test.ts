import { expect, test } from "vitest";
import { PastReadings } from "./past-readings.ts";

const MINUTE_MS = 60_000;
const JUMP_MS = 1_000_000_000;

test("what a clock shows counts when it is old enough, and a jump no sooner", () => {
  const readings = new PastReadings(MINUTE_MS, 5_000_000);
  const first = 5_000_000 - MINUTE_MS;
  expect(readings.note(0, 5_000_000)).toBe(first);
  expect(readings.note(30_000, 5_030_000)).toBe(first);
  expect(readings.note(40_000, JUMP_MS)).toBe(first);
  expect(readings.note(50_000, 2 * JUMP_MS)).toBe(first);
  expect(readings.note(60_000, 2 * JUMP_MS + 1)).toBe(5_000_000);
  expect(readings.note(99_999, 2 * JUMP_MS + 2)).toBe(5_030_000);
  expect(readings.note(100_000, 2 * JUMP_MS + 3)).toBe(JUMP_MS);
  // The one before came too soon after another to be kept.
  expect(readings.note(1_000_000, 2 * JUMP_MS + 4)).toBe(2 * JUMP_MS + 2);
});

test("of many readings at once the first counts", () => {
  const readings = new PastReadings(MINUTE_MS, 5_000_000);
  for (let n = 0; n < 500; n++) readings.note(n, 5_000_000 + n * JUMP_MS);
  expect(readings.note(MINUTE_MS + 500, 1)).toBe(5_000_000);
});
