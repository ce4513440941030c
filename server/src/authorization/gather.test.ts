import { expect, test } from "vitest";
import { isExpired } from "./gather.ts";

test.each([
  ["2029-12-31T23:59:59.999Z", false],
  ["2030-10-31T23:59:59.999Z", false],
  ["2030-11-30T23:59:59.999Z", false], // its last month counts whole
  ["2030-12-01T00:00:00.000Z", true],
  ["2031-01-01T00:00:00.000Z", true],
])("at %s a card of 11/2030 is expired: %s", (now, expected) => {
  expect(isExpired({ expiryYear: 2030, expiryMonth: 11 }, new Date(now))).toBe(expected);
});
