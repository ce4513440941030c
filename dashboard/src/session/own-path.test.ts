import { expect, test } from "vitest";
import { isOwnPath } from "./own-path.ts";

test.each([
  ["/cards?status=Active", true],
  ["/", true],
  [undefined, false],
  ["", false],
  ["cards", false],
  ["https://elsewhere.example/", false],
  ["//elsewhere.example/", false],
  ["/\\elsewhere.example/", false],
  ["javascript:alert(1)", false],
])("%s is a path of our own: %s", (path, expected) => {
  expect(isOwnPath(path)).toBe(expected);
});
