import { expect, test } from "vitest";
import type { Message } from "../fields.ts";
import { institutionDigits, originalOf, writeOriginal } from "./original.ts";

const original: Message = { mti: "0100", fields: { 7: "0131235959", 11: "000001", 32: "412345" } };

test("a message names the one that it is about", () => {
  const text = writeOriginal(original);
  expect(text).toBe("010000000101312359590000041234500000000000");
  expect(originalOf({ mti: "0400", fields: { 90: text } })).toEqual({
    mti: "0100",
    trace: "000001",
    transmitted: "0131235959",
    acquirer: institutionDigits("412345"),
    forwarder: "00000000000",
  });
});

test("what the original does not tell is zeros", () => {
  expect(writeOriginal({ mti: "0200", fields: {} })).toBe(`0200${"0".repeat(38)}`);
});

test("an institution of 11 digits is itself", () => {
  expect(institutionDigits("98765432109")).toBe("98765432109");
});
