import { expect, test } from "vitest";
import { niceTop, ticksOf } from "./scale.ts";

test.each([
  [0, 4],
  [4, 4],
  [5, 8],
  [8, 8],
  [11, 12],
  [21, 24],
  [26, 32],
  [99, 120],
  [101, 120],
  [123_456, 160_000],
])("%d fits under %d", (largest, top) => {
  expect(niceTop(largest)).toBe(top);
});

test("ticks cut the scale into quarters", () => {
  expect(ticksOf(200)).toEqual([0, 50, 100, 150, 200]);
});
