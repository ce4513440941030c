import { usageFailure } from "../exit.ts";

const MAX_MAJOR_UNITS = 10_000_000;

/** Currencies of ISO 4217 that do not have two decimals; the runtime's own list follows other habits. */
const EXPONENTS: ReadonlyMap<string, number> = new Map(
  Object.entries({
    0: "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF",
    3: "BHD IQD JOD KWD LYD OMR TND",
    4: "CLF UYW",
  }).flatMap(([exponent, codes]) => codes.split(" ").map((code) => [code, Number(exponent)])),
);

export const exponentOf = (currency: string): number => EXPONENTS.get(currency) ?? 2;

/** An amount as it is typed, `25`, `25.5` or `25.50`, as the number that goes over the wire. */
export function readAmount(text: string, currency: string): number {
  const match = /^(\d{1,8})(?:\.(\d{1,4}))?$/.exec(text);
  if (match === null) throw usageFailure(`${text} is no amount: write it as 25 or 25.50.`);
  const decimals = exponentOf(currency);
  if ((match[2] ?? "").length > decimals) {
    const allowed = decimals === 0 ? "no decimals" : `${decimals} decimals at most`;
    throw usageFailure(`${text} has too many decimals: ${currency} has ${allowed}.`);
  }
  const amount = Number(text);
  if (amount > MAX_MAJOR_UNITS)
    throw usageFailure(`${text} is above 10,000,000, the most there is.`);
  return amount;
}

/** As a person reads it: `1,234.50 USD`. */
export function moneyText(amount: number, currency: string): string {
  const decimals = exponentOf(currency);
  const digits = { minimumFractionDigits: decimals, maximumFractionDigits: decimals };
  return `${amount.toLocaleString("en-US", digits)} ${currency}`;
}
