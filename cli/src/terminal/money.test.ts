import fc from "fast-check";
import { expect, test } from "vitest";
import { isCurrency, exponentOf as theirs } from "../../../server/src/foundation/currencies.ts";
import { exponentOf, moneyText, readAmount } from "./money.ts";

test.each([
  ["25", "USD", 25],
  ["25.5", "USD", 25.5],
  ["25.50", "USD", 25.5],
  ["0", "USD", 0],
  ["0.01", "USD", 0.01],
  ["1500", "JPY", 1500],
  ["1.234", "KWD", 1.234],
  ["10000000", "USD", 10_000_000],
])("%s %s is %d", (text, currency, amount) => {
  expect(readAmount(text, currency)).toBe(amount);
});

test.each([
  ["", "USD", /no amount/],
  ["25,50", "USD", /no amount/],
  ["-1", "USD", /no amount/],
  ["1e3", "USD", /no amount/],
  [".5", "USD", /no amount/],
  ["25.555", "USD", /USD has 2 decimals at most/],
  ["25.5", "JPY", /JPY has no decimals/],
  ["10000000.01", "USD", /above 10,000,000/],
])("%j %s is refused", (text, currency, why) => {
  expect(() => readAmount(text, currency)).toThrow(why);
});

test.each([
  [0, "USD", "0.00 USD"],
  [1234.5, "USD", "1,234.50 USD"],
  [-10, "USD", "-10.00 USD"],
  [1500, "JPY", "1,500 JPY"],
  [1.5, "KWD", "1.500 KWD"],
])("%d %s is shown as %s", (amount, currency, text) => {
  expect(moneyText(amount, currency)).toBe(text);
});

test("what is shown can be typed", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 1_000_000_000 }), (minor) => {
      const amount = minor / 100;
      const [shown = ""] = moneyText(amount, "USD").split(" ");
      expect(readAmount(shown.replaceAll(",", ""), "USD")).toBe(amount);
    }),
  );
});

test("every currency has as many decimals as the service thinks", () => {
  const letters = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"];
  const codes = letters.flatMap((a) => letters.flatMap((b) => letters.map((c) => a + b + c)));
  const known = codes.filter(isCurrency);
  expect(known.length).toBeGreaterThan(150);
  expect(known.filter((code) => exponentOf(code) !== theirs(code))).toEqual([]);
});
