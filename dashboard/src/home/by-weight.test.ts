import { expect, test } from "vitest";
import { byWeight, currenciesOf } from "./by-weight.ts";

test.each([
  ["JPY 100, USD 98643.77", "USD JPY"],
  // What is empty waits, whatever it is.
  ["NGN 0, USD 12", "USD NGN"],
  ["NGN 5, USD 0", "NGN USD"],
  ["EUR 1, GBP -2, USD 0", "EUR GBP USD"],
  ["NGN 0, USD 0", "USD NGN"],
])("of %s the order is %s", (given, order) => {
  const amounts = given.split(", ").map((text) => {
    const [currency = "", balance] = text.split(" ");
    return { currency, balance: Number(balance) };
  });
  expect(byWeight(amounts).map(({ currency }) => currency)).toEqual(order.split(" "));
});

test("what was bought is shown in USD first, where there is any", () => {
  const bought = (...currencies: string[]) => ({
    approvedAmount: currencies.map((currency) => ({ currency, amount: 5 })),
  });
  expect(currenciesOf([bought("JPY"), bought("JPY", "USD"), bought("EUR")])).toEqual([
    "USD",
    "EUR",
    "JPY",
  ]);
});
