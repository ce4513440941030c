import { expect, test } from "vitest";
import { exponentOf, isCurrency } from "../../server/src/foundation/currencies.ts";
import { decimalsOf } from "../src/ui/decimals.ts";

test("the page and the service agree on the decimals of every currency", () => {
  const letters = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"];
  const codes = letters.flatMap((a) => letters.flatMap((b) => letters.map((c) => a + b + c)));
  const currencies = codes.filter(isCurrency);
  expect(currencies.length).toBeGreaterThan(150);
  for (const currency of currencies) {
    expect([currency, decimalsOf(currency)]).toEqual([currency, exponentOf(currency)]);
  }
});
