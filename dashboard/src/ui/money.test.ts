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
  [1250.5, "USD", "$1,250.50USD"],
  [1250, "JPY", "¥1,250JPY"],
  [-1250.005, "KWD", "-KWD 1,250.005"], // Its name is its symbol.
])("%d %s reads %s", (amount, currency, text) => {
  expect(textOf(amount, currency)).toBe(text);
});
