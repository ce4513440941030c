import fc from "fast-check";
import { expect, test } from "vitest";
import { checkReference, newReference } from "./reference.ts";

test("a new Reference can be sent, at any time", () => {
  fc.assert(
    fc.property(
      fc.date({ noInvalidDate: true, min: new Date(0), max: new Date("9999-12-31") }),
      (at) => {
        const reference = newReference(at.getTime());
        expect(checkReference(reference)).toBe(reference);
      },
    ),
  );
});

test("no two are the same", () => {
  const made = new Set(Array.from({ length: 10_000 }, () => newReference(0)));
  expect(made.size).toBe(10_000);
});

test.each(["", "a b", "é", "x".repeat(31), "a\n"])("%j is none", (reference) => {
  expect(() => checkReference(reference)).toThrow(TypeError);
});
