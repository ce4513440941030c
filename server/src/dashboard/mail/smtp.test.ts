import { expect, test } from "vitest";
import { needsTls } from "./smtp.ts";

test.each([
  ["smtp://mail.example:587", true],
  ["smtp://user:password@10.0.0.5", true],
  ["smtp://localhost:25", false],
  ["smtp://127.0.0.1:2525", false],
  ["smtp://[::1]:25", false],
])("letters to %s must be encrypted: %s", (url, expected) => {
  expect(needsTls(url)).toBe(expected);
});
