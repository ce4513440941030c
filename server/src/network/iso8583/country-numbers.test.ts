import { expect, test } from "vitest";
import { isCountryCode } from "../../foundation/countries.ts";
import { countryOfNumber } from "./country-numbers.ts";

test("every country that we know has a number of its own, and no number means anything else", () => {
  const alphabet = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"];
  const known = alphabet.flatMap((a) => alphabet.map((b) => a + b)).filter(isCountryCode);
  const all = Array.from({ length: 1000 }, (_, number) => String(number).padStart(3, "0"));
  expect(all.flatMap((number) => countryOfNumber(number) ?? []).sort()).toEqual(known);
});

test.each([
  ["840", "US"],
  ["826", "GB"],
  ["566", "NG"],
  ["288", "GH"],
  ["008", "AL"],
  ["728", "SS"],
  ["729", "SD"],
  ["531", "CW"],
  ["000", undefined],
  ["999", undefined],
])("%s is %s", (number, country) => {
  expect(countryOfNumber(number)).toBe(country);
});
