import { expect, test } from "vitest";
import { Tally } from "./tally.ts";

test("percentiles are right to 5 %, whatever is counted", () => {
  const tally = new Tally();
  for (let ms = 1; ms <= 1_000; ms++) tally.add(ms % 4 === 0 ? "51" : "00", ms);
  for (const [part, ms] of [
    [0.5, 500],
    [0.99, 990],
    [1, 1_000],
  ] as const) {
    expect(tally.percentileMs(part)).toBeGreaterThanOrEqual(ms);
    expect(tally.percentileMs(part)).toBeLessThanOrEqual(ms * 1.06);
  }
  expect(tally.count).toBe(1_000);
  expect(tally.describeResponses()).toBe("00: 750  51: 250");
});

test("of nothing there is nothing", () => {
  expect(new Tally().percentileMs(0.5)).toBe(0);
});
