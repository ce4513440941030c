import fc from "fast-check";
import { expect, test } from "vitest";
import { type Currency, exponentOf } from "./currencies.ts";
import { convert, isRate, rateOf } from "./fx.ts";

test.each<[amountMinor: bigint, from: Currency, to: Currency, rate: string, minor: bigint]>([
  [10_000n, "EUR", "USD", "1.08", 10_800n],
  [10_000n, "USD", "USD", "1", 10_000n],
  [150_000n, "NGN", "USD", "0.00065", 98n], // 1,500.00 NGN are 0.975 USD.
  [100n, "USD", "NGN", "1538.4615", 153_846n],
  [1000n, "JPY", "USD", "0.0067", 670n],
  [670n, "USD", "JPY", "149.25", 1000n],
  [670n, "USD", "JPY", "149.3", 1000n],
  [1n, "KWD", "USD", "3.25", 0n], // 0.001 KWD are 0.00325 USD.
  [2n, "KWD", "USD", "3.25", 1n],
  [12_345n, "CLF", "JPY", "6000", 7407n],
  [1n, "USD", "EUR", "0.5", 1n], // A half goes up …
  [3n, "USD", "EUR", "0.5", 2n],
  [1n, "USD", "EUR", "0.499999999999", 0n],
  [-1n, "USD", "EUR", "0.5", -1n], // … and away from zero.
  [-3n, "USD", "EUR", "0.49", -1n],
  [0n, "USD", "EUR", "0.9", 0n],
  [5n, "USD", "NGN", "1500.00", 7500n],
  [10n ** 24n + 1n, "USD", "EUR", "1", 10n ** 24n + 1n], // No number could hold it.
])("%d %s in %s at %s is %d", (amountMinor, from, to, rate, minor) => {
  expect(convert(amountMinor, from, to, rate)).toBe(minor);
});

test.each([
  ["1", true],
  ["0.00065", true],
  ["0001.50", true],
  ["999999999999.999999999999", true],
  ["0", false],
  ["0.000", false],
  ["-1", false],
  ["+1", false],
  ["1e3", false],
  ["1.", false],
  [".5", false],
  ["1,5", false],
  [" 1", false],
  ["", false],
  ["NaN", false],
  ["1234567890123", false],
])("%j is a rate: %s", (text, is) => {
  expect(isRate(text)).toBe(is);
  if (!is) expect(() => convert(1n, "USD", "EUR", text)).toThrow(RangeError);
});

const amounts = fc.bigInt({ min: -(10n ** 18n), max: 10n ** 18n });
const currencies = fc.constantFrom<Currency>("JPY", "USD", "NGN", "KWD", "CLF");
const rates = fc
  .tuple(fc.nat(999_999), fc.integer({ min: 1, max: 999_999_999 }))
  .map(([whole, decimals]) => `${whole}.${String(decimals).padStart(9, "0")}`);

test("a conversion is the nearest minor unit, and gives back what it took", () => {
  fc.assert(
    fc.property(amounts, currencies, currencies, rates, (amountMinor, from, to, rate) => {
      const minor = convert(amountMinor, from, to, rate);
      // amount × rate × 10^to = exact × 10^from, all of it × 10^9 for the decimals of the rate.
      const exact = amountMinor * BigInt(rate.replace(".", "")) * 10n ** BigInt(exponentOf(to));
      const unit = 10n ** BigInt(exponentOf(from) + 9);
      expectNearest(minor, exact, unit);
      expect(convert(-amountMinor, from, to, rate)).toBe(-minor);
    }),
  );
});

test.each<[amountMinor: bigint, bps: number, minor: bigint]>([
  [10_000n, 200, 200n],
  [25n, 200, 1n], // 0.5 of a cent
  [24n, 200, 0n],
  [-25n, 200, -1n],
  [12_345n, 0, 0n],
  [12_345n, 10_000, 12_345n],
  [1n, 25_000, 3n],
])("%d at %i basis points is %d", (amountMinor, bps, minor) => {
  expect(rateOf(amountMinor, bps)).toBe(minor);
});

test("a share is the nearest minor unit", () => {
  fc.assert(
    fc.property(amounts, fc.nat(20_000), (amountMinor, bps) => {
      expectNearest(rateOf(amountMinor, bps), amountMinor * BigInt(bps), 10_000n);
    }),
  );
});

test.each([-1, 0.5, Number.NaN, Number.POSITIVE_INFINITY])("%d is no basis points", (bps) => {
  expect(() => rateOf(100n, bps)).toThrow(RangeError);
});

/** Twice the distance is at most a unit; at just a unit, the result is the one further from zero. */
function expectNearest(result: bigint, exact: bigint, unit: bigint): void {
  const sign = exact < 0n ? -1n : 1n;
  const above = 2n * sign * (result * unit - exact);
  expect(above > -unit && above <= unit).toBe(true);
}
