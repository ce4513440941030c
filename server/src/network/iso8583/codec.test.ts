import fc from "fast-check";
import { expect, test } from "vitest";
import { decode } from "./decode.ts";
import { encode } from "./encode.ts";
import { arbitraryMessage } from "./golden/arbitrary.ts";
import { goldenMessages } from "./golden/golden.ts";
import { messageTypes } from "./message-types.ts";

test.each(goldenMessages)("reads and writes: $title", ({ bytes, message }) => {
  expect(decode(bytes)).toEqual(message);
  expect(encode(message).toString("hex")).toBe(bytes.toString("hex"));
});

test("there is a golden message of every type", () => {
  const types = new Set(goldenMessages.map(({ message }) => message.mti));
  expect([...types].sort()).toEqual(Object.keys(messageTypes).sort());
});

test("what is written is read as the same message, and written again as the same bytes", () => {
  fc.assert(
    fc.property(arbitraryMessage, (message) => {
      const bytes = encode(message);
      expect(decode(bytes)).toEqual(message);
      expect(encode(decode(bytes)).equals(bytes)).toBe(true);
    }),
    { numRuns: 500 },
  );
});

test("the order in which fields were given does not matter", () => {
  const fields = { 70: "301", 11: "123456", 7: "0131120000" };
  expect(decode(encode({ mti: "0800", fields })).fields).toEqual(fields);
});
