import { type Currency, exponentOf } from "./currencies.ts";
import { readDecimal, sameDecimal } from "./decimal.ts";
import { Failure } from "./failure.ts";

export const MAX_MAJOR_UNITS = 10_000_000;

/**
 * Minor units of an amount that came as a JSON number in major units. The number is read as
 * its shortest decimal text, which is what the client wrote, so nothing is ever rounded.
 * A refusal names the field, as a request may have several amounts.
 */
export function parseAmount(
  value: number,
  currency: Currency,
  { allowZero = false, field = "amount" }: { allowZero?: boolean; field?: string } = {},
): bigint {
  const problem = problemOfAmount(value, allowZero);
  if (problem !== undefined) throw refusal(problem, field);
  return minorOf(value, currency, field);
}

/** What is wrong with an amount in every currency. */
export function problemOfAmount(value: number, allowZero: boolean): string | undefined {
  if (!Number.isFinite(value)) return "must be a finite number";
  if (value < 0 || Object.is(value, -0)) return "must not be negative";
  if (value === 0 && !allowZero) return "must be greater than 0";
  return value > MAX_MAJOR_UNITS ? `must not be above ${MAX_MAJOR_UNITS}` : undefined;
}

/** Minor units of an amount that we have written ourselves, however large it is. */
export function minorOf(value: number, currency: Currency, field = "amount"): bigint {
  const { digits, exponent } = readDecimal(String(value));
  const decimals = exponentOf(currency);
  if (exponent < -decimals) {
    throw refusal(`has more decimals than ${currency} allows (${decimals})`, field);
  }
  return BigInt(digits) * 10n ** BigInt(exponent + decimals);
}

/** The JSON number in major units; throws rather than print a number that is not the amount. */
export function formatAmount(minor: bigint, currency: Currency): number {
  if (minor <= MAX_EXACT_MINOR && minor >= -MAX_EXACT_MINOR) {
    return Number(minor) / 10 ** exponentOf(currency);
  }
  const text = decimalText(minor, currency);
  const value = Number(text);
  if (!sameDecimal(String(value), text)) {
    throw new RangeError(`${text} ${currency} cannot be written exactly as a JSON number`);
  }
  return value;
}

/**
 * Up to 15 digits a quotient of two exact doubles is the double nearest to the decimal, and the shortest
 * text of that double is the decimal itself.
 */
const MAX_EXACT_MINOR = 999_999_999_999_999n;

/** Major units as text with all decimals of the currency: "-12.50", for people and files. */
export function decimalText(minor: bigint, currency: Currency): string {
  const decimals = exponentOf(currency);
  if (decimals === 0) return minor.toString();
  const sign = minor < 0n ? "-" : "";
  const digits = (minor < 0n ? -minor : minor).toString().padStart(decimals + 1, "0");
  return `${sign}${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}

/** For JSON that is stored: amounts that are exact as numbers are numbers, larger ones text. */
export const packMinor = (minor: bigint): number | string =>
  minor <= Number.MAX_SAFE_INTEGER && minor >= Number.MIN_SAFE_INTEGER
    ? Number(minor)
    : minor.toString();

export const unpackMinor = (packed: number | string): bigint => BigInt(packed);

export const smaller = (a: bigint, b: bigint): bigint => (a < b ? a : b);
export const larger = (a: bigint, b: bigint): bigint => (a > b ? a : b);

function refusal(problem: string, field: string): Failure {
  return new Failure("INVALID_REQUEST_AMOUNT", {
    message: `The amount ${problem}`,
    errors: [{ field, message: problem }],
  });
}
