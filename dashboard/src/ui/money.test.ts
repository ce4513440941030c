import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { Money } from "./money.tsx";

const textOf = (amount: number, currency: string) =>
  renderToStaticMarkup(createElement(Money, { amount, currency, withCode: true })).replaceAll(
    /<[^>]*>/g,
    "",
  );

test.each([
  ["USD", "beside its symbol"],
  ["JPY", "beside its symbol"],
  ["KWD", "as its symbol"],
])("an amount in %s names it once, %s", (currency) => {
  expect(textOf(-1250.005, currency).split(currency)).toHaveLength(2);
});
