import { expect, test } from "vitest";
import { readMeaning } from "./query.ts";

test.each([
  ["1234", { lastFour: "1234" }],
  ["****1234", { lastFour: "1234" }],
  ["•••• 1234", { lastFour: "1234" }],
  ["411111******1234", { firstSix: "411111", lastFour: "1234" }],
  ["411111 **** 1234", { firstSix: "411111", lastFour: "1234" }],
  // Of a whole number only what may be shown is looked for.
  ["4111 1199 9988 1234", { firstSix: "411111", lastFour: "1234" }],
  ["4111119999881234", { firstSix: "411111", lastFour: "1234" }],
  ["Ada Obi", { name: "Ada Obi" }],
  ["ref-2026-01", { name: "ref-2026-01" }],
  ["card_01m7f3p0w4hbtw0tjpr04547jg", {}],
  ["12345", {}],
])("%s -> %o", (text, meaning) => {
  expect(readMeaning(` ${text} `)).toEqual({ text, ...meaning });
});
