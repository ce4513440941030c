import type { Programme } from "@florin/sdk";
import { expect, test } from "vitest";
import { currenciesOf, currencyOf } from "./order-currency.ts";

const programme = (currency: string, ...cardTypes: string[]) =>
  ({ currency, cardTypes }) as Programme;
const programmes = [
  programme("USD", "Retail", "Lite"),
  programme("NGN", "Retail", "Corporate"),
  programme("USD", "Corporate"),
  programme("USD", "Retail"),
];

test("a kind of card has the currencies of its programmes, each once", () => {
  expect(currenciesOf(programmes, "retail")).toEqual(["USD", "NGN"]);
  expect(currenciesOf(programmes, "corporate")).toEqual(["NGN", "USD"]);
  expect(currenciesOf(programmes, "lite")).toEqual(["USD"]);
  expect(currenciesOf(programmes, "reissue")).toEqual([]);
});

test.each([
  ["what was chosen", "retail", "NGN", ["USD", "NGN"], undefined, "NGN"],
  ["what there is, where that is no choice", "lite", "NGN", ["USD"], undefined, "USD"],
  ["what was chosen until the choices are known", "retail", "USD", [], undefined, "USD"],
  ["what the card is in that it follows", "reissue", "USD", [], { currency: "NGN" }, "NGN"],
] as const)("a card is in %s", (_what, kind, currency, choices, follows, expected) => {
  expect(currencyOf({ kind, currency }, choices, follows)).toBe(expected);
});
