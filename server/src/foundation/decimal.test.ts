import fc from "fast-check";
import { expect, test } from "vitest";
import { readDecimal, sameDecimal } from "./decimal.ts";

test.each([
  ["0", false, "", 0],
  ["-0.00e99", true, "", 0],
  ["25.5", false, "255", -1],
  ["-12.50", true, "125", -1],
  ["1200", false, "12", 2],
  ["0.0010", false, "1", -3],
  ["1e-7", false, "1", -7],
  ["1.5E+21", false, "15", 20],
  ["10.20e2", false, "102", 1],
])("%s is ±%s %s × 10^%i", (text, negative, digits, exponent) => {
  expect(readDecimal(text)).toEqual({ negative, digits, exponent });
});

test.each([
  ["1.0", "1", true],
  ["1e2", "100", true],
  ["0.1", "1e-1", true],
  ["-0", "0", true],
  ["-1", "1", false],
  ["1", "10", false],
  ["25.5000000000000000001", "25.5", false],
])("%s and %s are the same: %s", (left, right, same) => {
  expect(sameDecimal(left, right)).toBe(same);
});

test("the digits and the exponent put together are the number", () => {
  fc.assert(
    fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
      const { negative, digits, exponent } = readDecimal(String(value));
      expect(Number(`${negative ? "-" : ""}${digits || "0"}e${exponent}`)).toBe(value + 0);
    }),
  );
});
