import { expect, test } from "vitest";
import { niceTop, ticksOf } from "./scale.ts";

test.each([
  [0, 4],
  [4, 4],
  [5, 5],
  [11, 20],
  [21, 25],
  [26, 50],
  [99, 100],
  [100, 100],
  [101, 200],
  [123_456, 200_000],
])("%d fits under %d", (largest, top) => {
  expect(niceTop(largest)).toBe(top);
});

test("ticks cut the scale into quarters", () => {
  expect(ticksOf(200)).toEqual([0, 50, 100, 150, 200]);
});
