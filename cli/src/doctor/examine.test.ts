import { expect, test } from "vitest";
import { skewOf } from "./examine.ts";

const NOW = Date.parse("2026-01-31T12:00:00Z");

test.each([
  ["Sat, 31 Jan 2026 12:00:00 GMT", "ok", "within 0 s"],
  ["Sat, 31 Jan 2026 11:59:10 GMT", "ok", "within 50 s"],
  ["Sat, 31 Jan 2026 11:55:00 GMT", "problem", "is 300 s ahead of"],
  ["Sat, 31 Jan 2026 12:05:00 GMT", "problem", "is 300 s behind"],
  ["yesterday", "warning", "does not tell"],
])("a service that says %s: %s", (date, result, seen) => {
  const finding = skewOf(new Response(null, { headers: { date } }), NOW);
  expect(finding.result).toBe(result);
  expect(finding.seen).toContain(seen);
});
