import { expect, test } from "vitest";
import { Complaints } from "./complaints.ts";

test("each cause has twenty lines at once, and then one a second", () => {
  let nowMs = 0;
  const complaints = new Complaints(() => nowMs);
  const told = (cause: string): number =>
    Array.from({ length: 100 }, () => complaints.mayTell(cause)).filter((may) => may).length;
  expect(told("outage")).toBe(20);
  expect(told("peer")).toBe(20);
  nowMs += 3_000;
  expect(told("outage")).toBe(3);
});
