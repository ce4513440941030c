import fc from "fast-check";
import { expect, test } from "vitest";
import { encode } from "./encode.ts";
import { fieldList } from "./fields.ts";
import { FormatError } from "./format-error.ts";
import { FrameSplitter, frame, MAX_MESSAGE_BYTES } from "./framing.ts";

const text = (messages: readonly Buffer[]) => messages.map((message) => message.toString());

test("a message goes out with its length before it, the high byte first", () => {
  expect(frame(Buffer.from("abc")).toString("hex")).toBe("0003616263");
  expect(frame(Buffer.alloc(MAX_MESSAGE_BYTES)).subarray(0, 2).toString("hex")).toBe("1000");
});

test.each([0, MAX_MESSAGE_BYTES + 1])("no message of %i bytes goes out", (length) => {
  expect(() => frame(Buffer.alloc(length))).toThrow(FormatError);
});

test("messages are found however the stream is cut", () => {
  const arbitraryStream = fc.array(fc.uint8Array({ minLength: 1, maxLength: 600 }), {
    maxLength: 8,
  });
  fc.assert(
    fc.property(arbitraryStream, fc.array(fc.nat(700)), (given, sizes) => {
      const messages = given.map((bytes) => Buffer.from(bytes));
      const splitter = new FrameSplitter();
      const segments = cut(Buffer.concat(messages.map(frame)), sizes);
      const found = segments.flatMap((segment) => splitter.push(segment).messages);
      expect(found).toEqual(messages);
      expect(splitter.isWithinMessage).toBe(false);
    }),
  );
});

function cut(stream: Buffer, sizes: readonly number[]): Buffer[] {
  const segments: Buffer[] = [];
  let start = 0;
  for (const size of sizes) {
    segments.push(stream.subarray(start, start + size));
    start += size;
  }
  return [...segments, stream.subarray(start)];
}

test("messages are found byte by byte", () => {
  const splitter = new FrameSplitter();
  const stream = Buffer.concat([frame(Buffer.from("first")), frame(Buffer.from("second"))]);
  const found = [...stream].map((byte) => text(splitter.push(Buffer.from([byte])).messages));
  expect(found.flat()).toEqual(["first", "second"]);
  expect(found[6]).toEqual(["first"]);
});

test("several messages in one segment are found together, and the rest is kept", () => {
  const splitter = new FrameSplitter();
  const stream = Buffer.concat(["one", "two", "three"].map((word) => frame(Buffer.from(word))));
  expect(text(splitter.push(stream.subarray(0, -1)).messages)).toEqual(["one", "two"]);
  expect(splitter.isWithinMessage).toBe(true);
  expect(text(splitter.push(stream.subarray(-1)).messages)).toEqual(["three"]);
});

test.each([
  ["0000", "not 0"],
  ["1001", "not 4097"],
  ["ffff", "not 65535"],
])(
  "the length %s is refused, what came before it is not, and nothing after it counts",
  (length, said) => {
    const splitter = new FrameSplitter();
    const good = frame(Buffer.from("good"));
    const first = splitter.push(Buffer.concat([good, Buffer.from(length, "hex"), good]));
    expect(text(first.messages)).toEqual(["good"]);
    expect(first.fault).toMatchObject({ place: "frame", reason: expect.stringContaining(said) });
    expect(splitter.push(good)).toEqual({ messages: [], fault: first.fault });
  },
);

test("the longest frame has room for the longest message", () => {
  const longest = Object.fromEntries(
    fieldList.map(({ number, spec }) => [number, "1".repeat(spec.maxLength)]),
  );
  expect(encode({ mti: "0100", fields: longest }).length).toBeLessThan(MAX_MESSAGE_BYTES);
});
