import { expect, test } from "vitest";
import { percent, plural } from "./numbers.ts";

test.each([
  [0, "card", "0 cards"],
  [1, "entry", "1 entry"],
  [2, "entry", "2 entries"],
])("%d %s is %s", (count, noun, words) => {
  expect(plural(count, noun)).toBe(words);
});

test.each([
  [0, 0, "–"],
  [1, 3, "33.3 %"],
  [3, 3, "100 %"],
])("%d of %d is %s", (part, whole, words) => {
  expect(percent(part, whole)).toBe(words);
});
