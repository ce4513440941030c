import fc from "fast-check";
import { expect, test } from "vitest";
import { type Currency, exponentOf } from "./currencies.ts";
import { decimalText, formatAmount, parseAmount } from "./money.ts";

const currencies = fc.constantFrom<Currency>("JPY", "USD", "NGN", "KWD", "CLF");

test.each<[value: number, currency: Currency, minor: bigint]>([
  [25.5, "USD", 2550n],
  [0.01, "USD", 1n],
  [0.1, "USD", 10n],
  [1.15, "USD", 115n], // 1.15 * 100 is 114.99999999999999 in floating point.
  [4.35, "USD", 435n],
  [1e2, "USD", 10_000n],
  [10_000_000, "USD", 1_000_000_000n],
  [9_999_999.99, "USD", 999_999_999n],
  [1500, "JPY", 1500n],
  [1.234, "KWD", 1234n],
  [0.0001, "CLF", 1n],
])("%d %s is %d minor units", (value, currency, minor) => {
  expect(parseAmount(value, currency)).toBe(minor);
});

test.each<[value: number, currency: Currency, message: RegExp]>([
  [0, "USD", /greater than 0/],
  [-0, "USD", /negative/],
  [-1, "USD", /negative/],
  [-Number.MIN_VALUE, "USD", /negative/],
  [10_000_000.01, "USD", /above 10000000$/],
  [1e21, "USD", /above/],
  [Number.MAX_VALUE, "USD", /above/],
  [Number.NaN, "USD", /finite/],
  [Number.POSITIVE_INFINITY, "USD", /finite/],
  [Number.NEGATIVE_INFINITY, "USD", /finite/],
  [0.001, "USD", /more decimals than USD allows \(2\)/],
  [1e-7, "USD", /more decimals/],
  [0.1 + 0.2, "USD", /more decimals/], // A client that adds in floating point is told so.
  [1.5, "JPY", /more decimals than JPY allows \(0\)/],
  [1.2345, "KWD", /more decimals/],
])("%d %s is refused", (value, currency, message) => {
  expect(() => parseAmount(value, currency)).toThrow(
    expect.objectContaining({
      codeName: "INVALID_REQUEST_AMOUNT",
      message: expect.stringMatching(message),
    }),
  );
});

test("zero is an amount only where it is allowed, and -0 never is", () => {
  expect(parseAmount(0, "USD", { allowZero: true })).toBe(0n);
  expect(parseAmount(5, "USD", { allowZero: true })).toBe(500n);
  expect(() => parseAmount(-0, "USD", { allowZero: true })).toThrow("negative");
  expect(() => parseAmount(-0.01, "USD", { allowZero: true })).toThrow("negative");
});

test.each<[minor: bigint, currency: Currency, text: string, value: number]>([
  [0n, "USD", "0.00", 0],
  [1n, "USD", "0.01", 0.01],
  [-1n, "USD", "-0.01", -0.01],
  [-1250n, "USD", "-12.50", -12.5],
  [100n, "USD", "1.00", 1],
  [-1500n, "JPY", "-1500", -1500],
  [5n, "KWD", "0.005", 0.005],
  [12_345n, "CLF", "1.2345", 1.2345],
  [2n ** 53n, "JPY", "9007199254740992", 9007199254740992],
  [10n ** 22n, "USD", "100000000000000000000.00", 1e20],
])("%d minor units of %s print as %s", (minor, currency, text, value) => {
  expect(decimalText(minor, currency)).toBe(text);
  expect(formatAmount(minor, currency)).toBe(value);
});

test.each<[minor: bigint, currency: Currency]>([
  [2n ** 53n + 1n, "JPY"],
  [-(2n ** 53n) - 1n, "JPY"],
  [2n ** 63n - 1n, "USD"],
  [9_007_199_254_740_991n, "USD"], // Doubles lie more than a cent apart up there.
])("%d minor units of %s are not rounded but refused", (minor, currency) => {
  expect(() => formatAmount(minor, currency)).toThrow(RangeError);
});

test("every amount a client may send comes back as it was written", () => {
  fc.assert(
    fc.property(currencies, fc.bigInt({ min: 1n, max: 10_000_000n * 10n ** 4n }), (currency, n) => {
      const minor = n % (10_000_000n * 10n ** BigInt(exponentOf(currency))) || 1n;
      expect(parseAmount(formatAmount(minor, currency), currency)).toBe(minor);
    }),
  );
});

test("formatting is exact for all balances of up to 15 digits and right or refused beyond", () => {
  fc.assert(
    fc.property(currencies, fc.bigInt({ min: -(2n ** 80n), max: 2n ** 80n }), (currency, minor) => {
      const small = minor % 10n ** 15n;
      expect(minorOf(formatAmount(small, currency), currency)).toBe(small);
      let value: number;
      try {
        value = formatAmount(minor, currency);
      } catch (error) {
        expect(error).toBeInstanceOf(RangeError);
        return;
      }
      expect(minorOf(value, currency)).toBe(minor);
    }),
  );
});

test("one decimal more than the currency has is refused", () => {
  const lastDigit = fc.integer({ min: 1, max: 9 });
  fc.assert(
    fc.property(
      currencies,
      fc.integer({ min: 0, max: 999_999_999 }),
      lastDigit,
      (currency, n, digit) => {
        const major = String(n).slice(0, 6);
        const decimals = String(n)
          .padStart(9, "0")
          .slice(-exponentOf(currency) || 9);
        expect(() => parseAmount(Number(`${major}.${decimals}${digit}`), currency)).toThrow(
          "more decimals",
        );
      },
    ),
  );
});

/** Minor units of a number by another road: its fixed notation, moved by the exponent. */
function minorOf(value: number, currency: Currency): bigint {
  const [, digits = "", point = "0"] = /^(-?[\d.]+)(?:e\+(\d+))?$/.exec(String(value)) ?? [];
  const [whole = "", decimals = ""] = digits.split(".");
  const shift = exponentOf(currency) + Number(point) - decimals.length;
  return BigInt(whole + decimals) * 10n ** BigInt(shift);
}
