import { expect, test } from "vitest";
import { formatTime } from "./time.tsx";

const now = new Date("2026-06-15T12:00:00Z");

test.each([
  ["2026-02-15T12:00:00Z", false],
  ["2025-06-15T12:00:00Z", true],
  ["2027-06-15T12:00:00Z", true],
])("the brief time of %s has a year: %s", (at, hasYear) => {
  const [inFull, brief] = (["full", "brief"] as const).map((as) =>
    formatTime(new Date(at), as, now),
  );
  const year = at.slice(2, 4);
  expect(inFull).toContain(year);
  expect(brief?.includes(year)).toBe(hasYear);
});
