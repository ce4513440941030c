import fc from "fast-check";
import { expect, test } from "vitest";
import { sameDecimal } from "../../../foundation/decimal.ts";
import type { Message } from "../fields.ts";
import { FormatError } from "../format-error.ts";
import { conversionRateOf, writeConversionRate } from "./conversion-rate.ts";

const message = (text: string): Message => ({ mti: "0100", fields: { 10: text } });

test.each([
  ["61250000", "1.250000"],
  ["00000002", "2"],
  ["09999999", "9999999"],
  ["79999999", "0.9999999"],
  ["70000001", "0.0000001"],
  ["90000001", "0.000000001"],
  ["91234567", "0.001234567"],
  ["41025000", "102.5000"],
])("%s is %s", (text, rate) => {
  expect(conversionRateOf(message(text))).toBe(rate);
});

test("every rate is written as itself", () => {
  fc.assert(
    fc.property(fc.nat(9), fc.integer({ min: 1, max: 9_999_999 }), (decimals, digits) => {
      const text = `${decimals}${String(digits).padStart(7, "0")}`;
      const rate = conversionRateOf(message(text)) ?? "";
      const again = conversionRateOf(message(writeConversionRate(rate))) ?? "";
      expect(sameDecimal(again, rate)).toBe(true);
    }),
  );
});

test.each([
  ["1.25", "20000125"],
  ["1600", "00001600"],
  ["0.5", "10000005"],
])("%s is written %s", (rate, text) => {
  expect(writeConversionRate(rate)).toBe(text);
});

test("a rate of nothing is refused", () => {
  expect(() => conversionRateOf(message("60000000"))).toThrow("must be more than nothing");
});

test.each(["1.2345678", "12345678", "0.0000000001", "0", "-1", "1e3", ""])(
  "%s is not written",
  (rate) => {
    expect(() => writeConversionRate(rate)).toThrow(FormatError);
  },
);
