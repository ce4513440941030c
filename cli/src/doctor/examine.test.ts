import { expect, test } from "vitest";
import { sandboxTime, skewOf } from "./examine.ts";

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

test.each([
  ["2026-01-31T12:00:00.300Z", "ok", "is not ahead by more than a minute"],
  ["2026-04-03T12:00:01.000Z", "ok", "was moved and stands at 2026-04-03 12:00:01, 62 days ahead"],
  [null, "warning", "the service does not tell its time"],
])("a sandbox that says %s: %s", (serviceTime, result, seen) => {
  expect(sandboxTime(serviceTime, NOW)).toEqual({ what: "sandbox's clock", result, seen });
});
