import fc from "fast-check";
import {
  type CharacterSet,
  type FieldSpec,
  type Fields,
  fieldList,
  type Message,
} from "../fields.ts";
import { type Mti, messageTypes } from "../message-types.ts";

const digits = "0123456789";
const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const printable = String.fromCharCode(...Array.from({ length: 95 }, (_, index) => 32 + index));

const alphabets: Record<CharacterSet, string> = { n: digits, an: digits + letters, ans: printable };

function arbitraryValue({ characters, minLength, maxLength }: FieldSpec): fc.Arbitrary<string> {
  const unit = fc.constantFrom(...alphabets[characters]);
  // Sizes beyond the default are asked for, so that long fields become long at times.
  return fc.string({ unit, minLength, maxLength, size: "max" });
}

/** Any message that the table allows. */
export const arbitraryMessage: fc.Arbitrary<Message> = fc.record({
  mti: fc.constantFrom(...(Object.keys(messageTypes) as Mti[])),
  fields: fc.record(
    Object.fromEntries(fieldList.map(({ number, spec }) => [number, arbitraryValue(spec)])),
    { requiredKeys: [], noNullPrototype: true },
  ) as fc.Arbitrary<Fields>,
});
