import { expect, test } from "vitest";
import { type Currency, exponentOf, isCurrency } from "./currencies.ts";

test.each<[exponent: number, currencies: Currency[]]>([
  [0, ["JPY", "KRW", "VND", "CLP", "ISK", "UGX", "XAF", "XOF", "XPF", "RWF"]],
  [0, ["PYG", "GNF", "DJF", "KMF", "BIF", "VUV", "UYI"]],
  [2, ["USD", "EUR", "GBP", "NGN", "GHS", "SLE", "ZWG", "XCG", "VED", "VES", "MRU", "STN"]],
  [3, ["BHD", "IQD", "JOD", "KWD", "LYD", "OMR", "TND"]],
  [4, ["CLF", "UYW"]],
])("%i decimals: %j", (exponent, currencies) => {
  for (const currency of currencies)
    expect([currency, exponentOf(currency)]).toEqual([currency, exponent]);
});

test.each([
  ["withdrawn", ["HRK", "BGN", "SLL", "ZWL", "ANG", "CUC", "VEF", "MRO", "STD", "DEM", "BYR"]],
  ["without a minor unit", ["XAU", "XAG", "XDR", "XTS", "XXX", "XUA"]],
  ["not a code", ["", "usd", "US", "USDT", "USD EUR", "toString", "__proto__"]],
])("refuses what is %s: %j", (_, texts) => {
  expect(texts.filter(isCurrency)).toEqual([]);
});

test("an unknown code has no exponent, not a guessed one", () => {
  expect(() => exponentOf("XXX" as string as Currency)).toThrow(RangeError);
});
