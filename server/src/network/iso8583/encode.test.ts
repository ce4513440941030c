import { expect, test } from "vitest";
import { encode } from "./encode.ts";
import type { Fields, Message } from "./fields.ts";
import { FormatError } from "./format-error.ts";

function fields(given: Record<string, string>): Fields {
  return given as Fields;
}

test.each<[what: string, fields: Fields, message: string]>([
  ["too short", { 11: "1" }, "DE 11 (System trace audit number) must have 6 characters, not 1"],
  [
    "too long",
    { 11: "0000001" },
    "DE 11 (System trace audit number) must have 6 characters, not 7",
  ],
  [
    "a long card number",
    { 2: "4".repeat(20) },
    "DE 2 (Primary account number) must have 13 to 19 characters, not 20",
  ],
  ["letters", { 4: "00000000125O" }, "DE 4 (Amount, transaction) must consist of digits"],
  [
    "an accent",
    { 42: "CAFÉ".padEnd(15) },
    "DE 42 (Card acceptor identification code) must consist of printable ASCII characters",
  ],
  [
    "a character beyond Latin-1",
    { 42: "漢".padEnd(15) },
    "DE 42 (Card acceptor identification code) must consist of printable ASCII characters",
  ],
  [
    "an empty value",
    { 48: "" },
    "DE 48 (Additional data, private) must have 1 to 999 characters, not 0",
  ],
  ["a PIN block", fields({ 52: "12345678" }), "DE 52 is not spoken here"],
  ["a bitmap as a field", fields({ 1: "00000000" }), "DE 1 is not spoken here"],
  ["a number beyond 128", fields({ 129: "1" }), "DE 129 is not spoken here"],
  [
    "a number with a zero before it",
    fields({ "02": "4111111111111111" }),
    "DE 2 (Primary account number) is not spoken here",
  ],
  ["a name", fields({ pan: "4111111111111111" }), "DE NaN is not spoken here"],
])("refuses to write %s", (_, given, message) => {
  const write = () => encode({ mti: "0100", fields: given });
  expect(write).toThrow(FormatError);
  expect(write).toThrow(message);
});

test("refuses to write a type that is not spoken", () => {
  const message = { mti: "0300", fields: {} } as unknown as Message;
  expect(() => encode(message)).toThrow("The MTI is not spoken here");
});
