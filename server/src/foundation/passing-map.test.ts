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
