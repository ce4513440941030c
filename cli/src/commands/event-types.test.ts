import { expect, test } from "vitest";
import { eventPatterns, eventTypeOf, isWanted } from "./event-types.ts";

test.each([
  ["card.issued", undefined, true],
  ["card.issued", ["card.issued"], true],
  ["card.issued", ["card.*"], true],
  ["card.issued", ["*"], true],
  ["card.issued", ["transaction.*", "card.frozen"], false],
  ["card.issued", [], false],
])("%s of %j: %s", (type, wanted, expected) => {
  expect(isWanted(type, wanted)).toBe(expected);
});

test("types and families that exist are taken", () => {
  expect(eventPatterns("card.issued, transaction.*,*")).toEqual([
    "card.issued",
    "transaction.*",
    "*",
  ]);
  expect(eventTypeOf("card.frozen")).toBe("card.frozen");
});

test.each([
  ["bogus.thing", /^There is no event bogus\.thing\. ".* trigger" lists them\.$/],
  ["card.issued,card.frozn", /no event card\.frozn\. Did you mean card\.frozen\?/],
  ["transactions.*", /Did you mean transaction\.\*\?/],
  [" , ", /needs a type/],
])("%j is refused, for it would be waited for in vain", (text, message) => {
  expect(() => eventPatterns(text)).toThrow(message);
});

test("a type that nobody can trigger is refused", () => {
  expect(() => eventTypeOf("card.*")).toThrow(/no event card\.\*/);
});
