import fc from "fast-check";
import { expect, test } from "vitest";
import type { Message } from "../fields.ts";
import { FormatError } from "../format-error.ts";
import { additionalDataOf, cvv2Of, writeAdditionalData, writeCvv2 } from "./additional-data.ts";

const message = (text: string): Message => ({ mti: "0100", fields: { 48: text } });

test("subfields are read as they were written", () => {
  const tag = fc.nat(99).map((number) => String(number).padStart(2, "0"));
  const value = fc.string({ maxLength: 30 });
  fc.assert(
    fc.property(fc.uniqueArray(fc.tuple(tag, value), { selector: ([key]) => key }), (pairs) => {
      const subfields = new Map(pairs);
      expect(additionalDataOf(message(writeAdditionalData(subfields)))).toEqual(subfields);
    }),
  );
});

test.each([
  ["alone", "9203123", "123"],
  ["after another subfield", "2002AB9203007", "007"],
  ["before another subfield", "92030070100", "007"],
  ["not at all", "2002AB", undefined],
  ["only as the value of another subfield", "20079203123", undefined],
])("the CVV2 is found %s", (_, text, cvv2) => {
  expect(cvv2Of(message(text))).toBe(cvv2);
});

test("a message without additional data has no CVV2", () => {
  expect(cvv2Of({ mti: "0100", fields: {} })).toBeUndefined();
});

test("the CVV2 is written as a subfield", () => {
  expect(writeCvv2("123")).toBe("9203123");
});

test.each([
  ["a value cut short", "9203987654301"],
  ["a length cut short", "92039879"],
  ["a tag that is no number", "R92039"],
  ["the same tag twice", "92039879203987"],
  ["a CVV2 of two digits", "920298"],
  ["a CVV2 of four digits", "92049876"],
  ["a CVV2 with a letter", "920398X"],
  ["an empty CVV2", "9200"],
])("refuses %s, without repeating it", (_, text) => {
  expect(() => cvv2Of(message(text))).toThrow(FormatError);
  expect(() => cvv2Of(message(text))).toThrow(/^DE 48 \(Additional data, private\) (?!.*98)/);
});

test.each([
  ["1", "x"],
  ["AB", "x"],
  ["92", "x".repeat(100)],
])("does not write a subfield %s of such a length", (tag, value) => {
  expect(() => writeAdditionalData(new Map([[tag, value]]))).toThrow(FormatError);
});
