import fc from "fast-check";
import { expect, test } from "vitest";
import { canonical } from "./probe.ts";

test("the order of fields does not matter, that of items does", () => {
  expect(canonical({ a: 1, b: [2, { d: 3, c: null }] })).toBe('{"a":1,"b":[2,{"c":null,"d":3}]}');
  expect(canonical({ b: 1, a: 2 })).toBe(canonical({ a: 2, b: 1 }));
  expect(canonical([1, 2])).not.toBe(canonical([2, 1]));
});

test("it is JSON of the same content", () => {
  const json = fc.jsonValue({ depthSize: "small" }).filter((value) => !Object.is(value, -0));
  fc.assert(
    fc.property(json, (value) => {
      expect(JSON.parse(canonical(value))).toEqual(JSON.parse(JSON.stringify(value)));
    }),
  );
});
