import { expect, test } from "vitest";
import { type Currency, isCurrency } from "../../foundation/currencies.ts";
import { countryOfNumber } from "./country-numbers.ts";
import { currencyOfNumber, numberOfCurrency } from "./currency-numbers.ts";

const alphabet = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"];
const known = alphabet
  .flatMap((a) => alphabet.flatMap((b) => alphabet.map((c) => a + b + c)))
  .filter(isCurrency);

test("every currency that we know has a number of its own", () => {
  const numbers = known.map(numberOfCurrency);
  expect(known.length).toBeGreaterThan(150);
  expect(numbers.filter((number) => !/^[0-9]{3}$/.test(number))).toEqual([]);
  expect(numbers.map(currencyOfNumber)).toEqual(known);
});

test("no number means anything else", () => {
  const all = Array.from({ length: 1000 }, (_, number) => String(number).padStart(3, "0"));
  expect(all.flatMap((number) => currencyOfNumber(number) ?? []).sort()).toEqual(known);
});

test("a number below 900 is that of the currency's country, with few exceptions", () => {
  const others = known.filter((currency) => {
    const number = numberOfCurrency(currency);
    return number < "900" && countryOfNumber(number) !== currency.slice(0, 2);
  });
  // Countries that have changed their number since (Ethiopia, Panama, Yemen), and two of no country.
  expect(others.map(withNumber)).toEqual(["ETB230", "PAB590", "XAD396", "XCG532", "YER886"]);
});

test("the numbers from 900 on are these", () => {
  const high = known.filter((currency) => numberOfCurrency(currency) >= "900").map(withNumber);
  expect(high.join(" ")).toBe(
    [
      "AFN971 AOA973 AZN944 BAM977 BOV984 BRL986 BYN933 CDF976 CHE947 CHW948 CLF990 COU970 EUR978",
      "GEL981 GHS936 MGA969 MRU929 MXV979 MZN943 PLN985 RON946 RSD941 SDG938 SLE925 SRD968 STN930",
      "TJS972 TMT934 TRY949 TWD901 UAH980 USN997 UYI940 UYW927 VED926 VES928 XAF950 XCD951 XOF952",
      "XPF953 ZMW967 ZWG924",
    ].join(" "),
  );
});

function withNumber(currency: Currency): string {
  return currency + numberOfCurrency(currency);
}

test.each(["191", "975", "960", "999", "000", "84", "0840", "USD"])(
  "%s is no currency in use",
  (number) => {
    expect(currencyOfNumber(number)).toBeUndefined();
  },
);
