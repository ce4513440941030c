import { type Currency, exponentOf } from "./currencies.ts";
import { readDecimal } from "./decimal.ts";

const BPS_PER_WHOLE = 10_000n;

/** Whether the text is a rate: a positive decimal number without sign or exponent. */
export function isRate(text: string): boolean {
  return /^\d{1,12}(?:\.\d{1,12})?$/.test(text) && readDecimal(text).digits !== "";
}

/**
 * Minor units of `to` for minor units of `from`, at `rate` major units of `to` for one of `from`.
 * Exact until the end, then rounded to the nearest minor unit, halves away from zero: what is taken
 * and what is given back at one rate is always the same.
 */
export function convert(amountMinor: bigint, from: Currency, to: Currency, rate: string): bigint {
  if (!isRate(rate)) throw new RangeError("A rate is a positive decimal number");
  const { digits, exponent } = readDecimal(rate);
  const shift = exponent + exponentOf(to) - exponentOf(from);
  const product = amountMinor * BigInt(digits);
  return shift >= 0 ? product * 10n ** BigInt(shift) : divideHalfUp(product, 10n ** BigInt(-shift));
}

/** The share of an amount in basis points (1 % = 100), rounded like a conversion. */
export function rateOf(amountMinor: bigint, bps: number): bigint {
  if (!Number.isSafeInteger(bps) || bps < 0) {
    throw new RangeError("Basis points are a whole number from 0");
  }
  return divideHalfUp(amountMinor * BigInt(bps), BPS_PER_WHOLE);
}

function divideHalfUp(value: bigint, divisor: bigint): bigint {
  const half = divisor / 2n;
  // Division of bigint cuts towards zero; every divisor here is a power of ten and so has a half.
  return (value < 0n ? value - half : value + half) / divisor;
}
