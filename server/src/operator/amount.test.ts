import fc from "fast-check";
import { expect, test } from "vitest";
import type { Currency } from "../foundation/currencies.ts";
import { decimalText } from "../foundation/money.ts";
import { readAmount } from "./amount.ts";
import { CommandError } from "./command.ts";

test.each<[string, Currency, bigint]>([
  ["1500", "USD", 150_000n],
  ["1500.5", "USD", 150_050n],
  ["1500.50", "USD", 150_050n],
  ["0.01", "USD", 1n],
  ["1.15", "USD", 115n],
  ["007", "USD", 700n],
  ["1000000000", "USD", 100_000_000_000n],
  ["1500", "JPY", 1500n],
  ["1.234", "KWD", 1234n],
])("%s %s is %d minor units", (text, currency, minor) => {
  expect(readAmount(text, currency)).toBe(minor);
});

test.each<[string, Currency, RegExp]>([
  ["", "USD", /no amount/],
  ["0", "USD", /greater than 0/],
  ["0.00", "USD", /greater than 0/],
  ["-5", "USD", /no amount/],
  ["+5", "USD", /no amount/],
  ["1e3", "USD", /no amount/],
  ["1,000", "USD", /no amount/],
  ["1 000", "USD", /no amount/],
  ["1.", "USD", /no amount/],
  [".5", "USD", /no amount/],
  ["٣", "USD", /no amount/],
  ["0x10", "USD", /no amount/],
  ["1.001", "USD", /more decimals than USD allows \(2\)/],
  ["1.000", "USD", /more decimals/],
  ["1.5", "JPY", /more decimals than JPY allows \(0\)/],
  ["1000000000.01", "USD", /not be above 1000000000 USD/],
  ["99999999999", "USD", /no amount/],
])("%s %s is refused", (text, currency, message) => {
  expect(() => readAmount(text, currency)).toThrow(message);
  expect(() => readAmount(text, currency)).toThrow(CommandError);
});

test("what is printed can be typed", () => {
  const currencies = fc.constantFrom<Currency>("JPY", "USD", "KWD", "CLF");
  fc.assert(
    fc.property(fc.bigInt({ min: 1n, max: 100_000_000n }), currencies, (minor, currency) => {
      expect(readAmount(decimalText(minor, currency), currency)).toBe(minor);
    }),
  );
});
