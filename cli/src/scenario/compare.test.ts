import fc from "fast-check";
import { expect, test } from "vitest";
import { differences } from "./compare.ts";

test.each([
  [{ a: 1 }, { a: 1, b: 2 }, []],
  [{ a: { b: 1 } }, { a: { b: 1, c: 2 } }, []],
  [{ a: [{ b: 1 }] }, { a: [{ b: 1, c: 2 }] }, []],
  [{ a: 1 }, { a: 2 }, ["a: expected 1, got 2"]],
  [{ a: { b: 1 } }, { a: { b: "1" } }, ['a.b: expected 1, got "1"']],
  [{ a: [1, 2] }, { a: [1] }, ["a: expected [1,2], got [1]"]],
  [{ a: [1, 2] }, { a: [1, 3] }, ["a[1]: expected 2, got 3"]],
  [{ a: 1 }, {}, ["a: expected 1, got nothing"]],
  [{ a: null }, { a: 0 }, ["a: expected null, got 0"]],
])("%j against %j: %j", (expected, actual, found) => {
  expect(differences(expected, actual)).toEqual(found);
});

test("whatever equals itself has no differences", () => {
  const json = fc.jsonValue({ depthSize: "small" }).filter((value) => !Object.is(value, -0));
  fc.assert(fc.property(json, (value) => differences(value, structuredClone(value)).length === 0));
});
