import fc from "fast-check";
import { expect, test } from "vitest";
import { PassingMap } from "./passing-map.ts";

test.each(["a b", "", "7", "__proto__", "constructor", "toString"])(
  "%j is a key like any other",
  (key) => {
    const map = new PassingMap<number>();
    expect(map.get(key)).toBeUndefined();
    map.set(key, 1);
    map.set(key, 2);
    expect(map.get(key)).toBe(2);
    expect(map.get(`${key}!`)).toBeUndefined();
    map.delete(key);
    expect(map.get(key)).toBeUndefined();
    map.delete(key);
  },
);

test("keys that share a bucket come and go by themselves", () => {
  const map = new PassingMap<number>();
  const keys = Array.from({ length: 5 }, (_, index) => `${index} and the same end`);
  const found = (): (number | undefined)[] => keys.map((key) => map.get(key));
  for (const [index, key] of keys.entries()) map.set(key, index);
  expect(found()).toEqual([0, 1, 2, 3, 4]);
  for (const index of [2, 0, 4]) map.delete(keys[index] ?? "");
  expect(found()).toEqual([undefined, 1, undefined, 3, undefined]);
  map.set(keys[1] ?? "", 10);
  map.set(keys[4] ?? "", 40);
  expect(found()).toEqual([undefined, 10, undefined, 3, 40]);
});

test("it holds what a Map holds", () => {
  const key = fc.string({ maxLength: 2 });
  const step = fc.oneof(
    fc.record({ key, value: fc.integer() }),
    fc.record({ key, value: fc.constant(undefined) }),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
      const [map, model] = [new PassingMap<number>(), new Map<string, number>()];
      for (const { key, value } of steps) {
        if (value === undefined) {
          map.delete(key);
          model.delete(key);
        } else {
          map.set(key, value);
          model.set(key, value);
        }
      }
      for (const { key } of steps) expect(map.get(key)).toBe(model.get(key));
    }),
  );
});
