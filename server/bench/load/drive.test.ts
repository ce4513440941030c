import { expect, test } from "vitest";
import { openLoopSample } from "./drive.ts";

test.each([
  [1_000, undefined],
  [951, undefined],
  [940, "only 940 of 1000 a second were answered in time"],
])("%i a second of 1,000", (perSecond, remark) => {
  const sample = openLoopSample(1_000, { perSecond, p99Ms: 12 });
  expect(sample.value).toBe(12);
  expect(sample.remark).toBe(remark);
  expect(sample.details).toEqual({ offeredPerSecond: 1_000, answeredPerSecond: perSecond });
});
