import { expect, test } from "vitest";
import type { Message } from "../fields.ts";
import { FormatError } from "../format-error.ts";
import {
  merchantIdOf,
  nameAndLocationOf,
  writeMerchantId,
  writeNameAndLocation,
} from "./card-acceptor.ts";

const message = (fields: Message["fields"]): Message => ({ mti: "0100", fields });

test.each([
  ["MID1           ", "MID1"],
  ["     MID1      ", "MID1"],
  ["123456789012345", "123456789012345"],
])("the MID of %j is %s", (text, mid) => {
  expect(merchantIdOf(message({ 42: text }))).toBe(mid);
});

test("a blank MID is refused", () => {
  expect(() => merchantIdOf(message({ 42: " ".repeat(15) }))).toThrow("must not be blank");
});

test("name and location are read as they were written", () => {
  const place = { name: "CAFE DE FLORE", city: "PARIS", country: "FR" };
  const text = writeNameAndLocation(place);
  expect(text).toBe("CAFE DE FLORE            PARIS        FR");
  expect(nameAndLocationOf(message({ 43: text }))).toEqual(place);
});

test("parts that fill their room touch each other", () => {
  const place = { name: "N".repeat(25), city: "C".repeat(13), country: "NG" };
  expect(nameAndLocationOf(message({ 43: writeNameAndLocation(place) }))).toEqual(place);
});

test("blanks are nothing", () => {
  const blank = nameAndLocationOf(message({ 43: " ".repeat(40) }));
  expect(blank).toEqual({ name: "", city: "", country: undefined });
  expect(writeNameAndLocation({ name: "", city: "", country: undefined })).toBe(" ".repeat(40));
});

test.each(["fr", "F ", " F", "12", "F1"])("%j is no country", (country) => {
  expect(() => nameAndLocationOf(message({ 43: country.padStart(40, "X") }))).toThrow(FormatError);
});

test("what does not fit is not cut", () => {
  expect(() => writeMerchantId("1234567890123456")).toThrow(FormatError);
  expect(() => writeNameAndLocation({ name: "N".repeat(26), city: "", country: "FR" })).toThrow(
    FormatError,
  );
  expect(() => writeNameAndLocation({ name: "", city: "C".repeat(14), country: "FR" })).toThrow(
    FormatError,
  );
  expect(writeMerchantId("MID1")).toBe("MID1           ");
});
