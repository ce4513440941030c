import { expect, test } from "vitest";
import { inWords } from "./words.ts";

test.each([
  ["TopUp", "Top up"],
  ["signed_in", "Signed in"],
  ["organization.created", "Organization created"],
  ["Deposit", "Deposit"],
])("%s is said as %s", (kind, words) => {
  expect(inWords(kind)).toBe(words);
});
