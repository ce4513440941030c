import fc from "fast-check";
import { expect, test } from "vitest";
import { ISO_REFERENCE, isoNameOf, networkReferenceOf } from "./iso-name.ts";

const digits = (minLength: number, maxLength = minLength) =>
  fc.string({ unit: fc.constantFrom(..."0123456789"), minLength, maxLength });
const retrieval = fc
  .string({ unit: fc.constantFrom(..."0123456789ABCxyz"), minLength: 1, maxLength: 12 })
  .map((text) => text.padEnd(12));

test("a network reference tells its parts again, however long the acquirer's is", () => {
  const names = fc.record({
    acquirer: digits(1, 11),
    retrieval,
    trace: digits(6),
    transmitted: digits(10),
  });
  fc.assert(
    fc.property(names, (name) => {
      const reference = networkReferenceOf(name);
      expect(isoNameOf(reference)).toEqual(name);
      expect(reference).toMatch(new RegExp(ISO_REFERENCE));
    }),
  );
});

test.each([
  null,
  "",
  "txn_00000000000000000000000000",
  "1".repeat(28),
  "1".repeat(40),
  "my-reference",
])("%s is no name of ISO 8583", (reference) => {
  expect(isoNameOf(reference)).toBeUndefined();
  expect(new RegExp(ISO_REFERENCE).test(reference ?? "")).toBe(false);
});
