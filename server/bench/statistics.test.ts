import { expect, test } from "vitest";
import { median, quantile } from "./statistics.ts";

test.each([
  [[3], 3],
  [[3, 1, 2], 2],
  [[10, 9, 1, 2], 5.5],
  [[100, 20, 3], 20], // as numbers, not as texts
])("the median of %o is %f", (numbers, expected) => {
  expect(median(numbers)).toBe(expected);
});

const hundred = Array.from({ length: 100 }, (_, n) => n + 1);

test.each([
  [hundred, 0.5, 50],
  [hundred, 0.99, 99],
  [hundred, 1, 100],
  [[7], 0.99, 7],
  [[1, 2], 0.99, 2],
])("quantile %#", (sorted, share, expected) => {
  expect(quantile(sorted, share)).toBe(expected);
});
