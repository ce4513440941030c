import { expect, test } from "vitest";
import { latencyText, percentile } from "./latency.ts";

const hundred = Array.from({ length: 100 }, (_, index) => 100 - index);

test.each([
  [hundred, 0.5, 50],
  [hundred, 0.99, 99],
  [hundred, 1, 100],
  [[7], 0.5, 7],
  [[], 0.5, 0],
])("percentile", (values, share, expected) => {
  expect(percentile(values, share)).toBe(expected);
});

test("is told in whole milliseconds", () => {
  expect(latencyText([1.4, 2.6])).toBe("p50 1 ms, p99 3 ms, longest 3 ms");
});
