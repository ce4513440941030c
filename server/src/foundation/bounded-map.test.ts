import { expect, test } from "vitest";
import { BoundedMap } from "./bounded-map.ts";

function filled(...keys: string[]): BoundedMap<string, number> {
  const map = new BoundedMap<string, number>(2);
  keys.forEach((key, index) => {
    map.set(key, index);
  });
  return map;
}

test.each([
  ["what fits is kept", ["a", "b"], [0, 1, undefined]],
  ["one more drives the oldest out", ["a", "b", "c"], [undefined, 1, 2]],
  ["a value that changes drives nothing out", ["a", "b", "b"], [0, 2, undefined]],
])("%s", (_what, keys, expected) => {
  const map = filled(...keys);
  expect(["a", "b", "c"].map((key) => map.get(key))).toEqual(expected);
});
