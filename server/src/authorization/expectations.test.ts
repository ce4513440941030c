import { expect, test } from "vitest";
import { Expectations } from "./expectations.ts";

test("a card is remembered as it was when it bought last", () => {
  const expectations = new Expectations();
  const bought = [
    { listed: true, reversed: false },
    { listed: true, reversed: false },
    { listed: true, reversed: true },
    { listed: false, reversed: true },
    { listed: false, reversed: false },
  ];
  const expected = bought.map((extras) => {
    expectations.note("card_1", extras);
    return expectations.of("card_1");
  });
  expect(expected).toEqual(bought);
  expect(expectations.of("card_2")).toEqual({ listed: false, reversed: false });
});
