import fc from "fast-check";
import { expect, test } from "vitest";
import { deriveCvv, isSameCvv } from "./cvv.ts";

const keys = Buffer.from("0123456789ABCDEFFEDCBA9876543210", "hex");
const expiry = { month: 1, year: 1987 };

// The card schemes' test values, as central banks and HSM makers publish them.
test.each([
  ["4123456789012", 1987, 1, "101", "370"],
  ["4999988887777", 1991, 5, "111", "649"],
  ["4666655554444", 1992, 6, "120", "821"],
  ["4333322221111", 1993, 7, "141", "697"],
  ["4123456789012345", 1987, 1, "101", "561"],
  ["4999988887777000", 1991, 5, "111", "245"],
  ["4666655554444111", 1992, 6, "120", "664"],
  ["4333322221111222", 1993, 7, "141", "382"],
  ["4123456789012345", 1987, 1, "111", "856"],
])("%s, valid until %i-%i, service code %s -> %s", (pan, year, month, serviceCode, cvv) => {
  expect(deriveCvv(keys, pan, { month, year }, serviceCode)).toBe(cvv);
});

test("a result with too few decimal digits goes on with its letters", () => {
  // The card encrypts to dd6bfdcabbdffddc; an HSM was seen to answer by this rule.
  expect(deriveCvv(keys, "0000000000032597", { month: 12, year: 2012 }, "201")).toBe("633");
});

test("bytes behind the two keys count for nothing", () => {
  const longer = Buffer.concat([keys, Buffer.alloc(16, 7)]);
  expect(deriveCvv(longer, "4123456789012345", expiry, "101")).toBe("561");
});

test("the printed value is the one of service code 000", () => {
  const printed = deriveCvv(keys, "4123456789012345", expiry);
  expect(printed).toBe(deriveCvv(keys, "4123456789012345", expiry, "000"));
  expect(printed).not.toBe(deriveCvv(keys, "4123456789012345", expiry, "101"));
});

const pans = fc
  .array(fc.integer({ min: 0, max: 9 }), { minLength: 13, maxLength: 19 })
  .map((digits) => digits.join(""));
const expiries = fc.record({
  month: fc.integer({ min: 1, max: 12 }),
  year: fc.integer({ min: 2020, max: 2099 }),
});
const keyPairs = fc.uint8Array({ minLength: 16, maxLength: 16 }).map((bytes) => Buffer.from(bytes));

test("it always has three digits, and the same input gives the same value", () => {
  fc.assert(
    fc.property(keyPairs, pans, expiries, (pair, pan, until) => {
      const cvv = deriveCvv(pair, pan, until);
      expect(cvv).toMatch(/^\d{3}$/);
      expect(deriveCvv(Buffer.from(pair), pan, { ...until })).toBe(cvv);
    }),
  );
});

test("the values of one card over many expiries are all but different", () => {
  const years = Array.from({ length: 80 }, (_, n) => 2020 + n);
  const values = years.flatMap((year) =>
    [1, 6, 12].map((month) => deriveCvv(keys, "4111111111111111", { month, year })),
  );
  expect(new Set(values).size).toBeGreaterThan(190);
});

test.each<[string, Buffer, string, { month: number; year: number }, string]>([
  ["one key", keys.subarray(0, 8), "4123456789012345", expiry, "000"],
  ["a short card number", keys, "412345678901", expiry, "000"],
  ["a long card number", keys, "41234567890123456789", expiry, "000"],
  ["a card number with a letter", keys, "412345678901234a", expiry, "000"],
  ["month 0", keys, "4123456789012345", { month: 0, year: 2026 }, "000"],
  ["month 13", keys, "4123456789012345", { month: 13, year: 2026 }, "000"],
  ["a year of two digits", keys, "4123456789012345", { month: 1, year: 26 }, "000"],
  ["half a year", keys, "4123456789012345", { month: 1, year: 2026.5 }, "000"],
  ["a short service code", keys, "4123456789012345", expiry, "00"],
])("refuses %s without repeating the card number", (_, pair, pan, until, serviceCode) => {
  expect(() => deriveCvv(pair, pan, until, serviceCode)).toThrow(
    expect.objectContaining({ name: "RangeError", message: expect.not.stringContaining(pan) }),
  );
});

test.each([
  ["561", "561", true],
  ["561", "562", false],
  ["56", "561", false],
  ["0561", "561", false],
  ["", "561", false],
])("%j given for %j: %s", (given, derived, same) => {
  expect(isSameCvv(given, derived)).toBe(same);
});
