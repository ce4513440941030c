import { expect, test } from "vitest";
import { PassingSet } from "./passing-set.ts";

test("has what was added and not taken out", () => {
  const set = new PassingSet<{ name: string }>();
  const [a, b, c] = [{ name: "a" }, { name: "b" }, { name: "c" }];
  const takeA = set.add(a);
  const takeB = set.add(b);
  expect([set.size, set.items()]).toEqual([2, [a, b]]);
  takeA();
  expect([set.size, set.items()]).toEqual([1, [b]]);
  // Takes the place that is free.
  set.add(c);
  expect([set.size, set.items()]).toEqual([2, [c, b]]);
  // What is out already takes nobody else out.
  takeA();
  expect([set.size, set.items()]).toEqual([2, [c, b]]);
  takeB();
  expect([set.size, set.items()]).toEqual([1, [c]]);
});
