import { expect, test } from "vitest";
import { typedInto } from "./first-keys.ts";

const plain = { ctrlKey: false, metaKey: false, altKey: false };

test.each([
  ["a letter", { key: "a" }, "wora"],
  ["a space", { key: " " }, "wor "],
  ["one too many", { key: "Backspace" }, "wo"],
  ["a key without a sign", { key: "Shift" }, "wor"],
  ["a command", { key: "k", ctrlKey: true }, "wor"],
])("%s is typed before the field is there", (_name, key, words) => {
  expect(typedInto("wor", { ...plain, ...key })).toBe(words);
});
