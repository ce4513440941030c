import { inspect } from "node:util";
import { expect, test } from "vitest";
import { decode } from "./decode.ts";
import { FormatError, type Place } from "./format-error.ts";
import { goldenMessages } from "./golden/golden.ts";

/** A message in which bits and wire text may disagree; other characters than ASCII as \xNN. */
function wire(mti: string, bits: readonly number[], text: string): Buffer {
  const bitmap = Buffer.alloc(bits.some((bit) => bit === 1 || bit > 64) ? 16 : 8);
  for (const bit of bits)
    bitmap[(bit - 1) >> 3] = (bitmap[(bit - 1) >> 3] ?? 0) | (0x80 >> ((bit - 1) & 7));
  return Buffer.concat([Buffer.from(mti, "latin1"), bitmap, Buffer.from(text, "latin1")]);
}

function refused(bytes: Buffer): FormatError {
  try {
    decode(bytes);
  } catch (error) {
    if (error instanceof FormatError) return error;
    throw error;
  }
  throw new Error("The message was taken");
}

type Row = [what: string, bytes: Buffer, place: Place, reason: string, trace?: string];
const pan = "164111111111111111";

test.each<Row>([
  ["nothing at all", Buffer.alloc(0), "MTI", "is not one of ISO 8583:1987 in ASCII"],
  ["an MTI in BCD", Buffer.from("0100", "hex"), "MTI", "is not one of ISO 8583:1987 in ASCII"],
  ["an MTI of 1993", wire("1100", [11], "000001"), "MTI", "is not one of ISO 8583:1987 in ASCII"],
  [
    "an MTI with a letter",
    wire("01O0", [11], "000001"),
    "MTI",
    "is not one of ISO 8583:1987 in ASCII",
  ],
  [
    "an MTI that is not spoken",
    wire("0302", [11], "000001"),
    "MTI",
    "is not spoken here",
    "000001",
  ],
  ["no bitmap", Buffer.from("0800"), "bitmap", "is cut short"],
  ["half a bitmap", Buffer.from("0800\0\0\0\0"), "bitmap", "is cut short"],
  ["a bitmap in hexadecimal text", Buffer.from("08000020000000000000000001"), 4, "is cut short"],
  [
    "no second bitmap where the first announces it",
    wire("0800", [1, 70], "").subarray(0, 15),
    "bitmap",
    "is cut short",
  ],
  [
    "a second bitmap without need",
    wire("0800", [1, 11], "000001"),
    "bitmap",
    "announces a second one that is empty",
    "000001",
  ],
  ["a third bitmap", wire("0800", [1, 11, 65], "000001"), 65, "is not spoken here", "000001"],
  [
    "a field that is not spoken, before DE 11",
    wire("0100", [8, 11], "00000000000001"),
    8,
    "is not spoken here",
  ],
  [
    "a field that is not spoken, after DE 11",
    wire("0100", [11, 55], "000001003abc"),
    55,
    "is not spoken here",
    "000001",
  ],
  [
    "track 2",
    wire("0100", [11, 35], "000001164111111111111111"),
    35,
    "is not spoken here",
    "000001",
  ],
  ["a PIN block", wire("0100", [11, 52], "00000112345678"), 52, "is not spoken here", "000001"],
  ["DE 128", wire("0100", [1, 11, 128], "00000112345678"), 128, "is not spoken here", "000001"],
  ["a fixed field cut short", wire("0100", [11], "00001"), 11, "is cut short"],
  ["a variable field cut short", wire("0100", [2], "16411111111111111"), 2, "is cut short"],
  ["a length cut short", wire("0100", [11, 48], "00000100"), 48, "is cut short", "000001"],
  [
    "a length in BCD",
    wire("0100", [2, 11], "\x16411111111111111000001"),
    2,
    "must have its length before it in ASCII digits",
  ],
  [
    "a length in EBCDIC",
    wire("0100", [2, 11], "\xf1\xf64111111111111111000001"),
    2,
    "must have its length before it in ASCII digits",
  ],
  [
    "a length with a sign",
    wire("0100", [2, 11], "+64111111111111111000001"),
    2,
    "must have its length before it in ASCII digits",
  ],
  [
    "a length with a blank",
    wire("0100", [11, 32], "000001 1123456"),
    32,
    "must have its length before it in ASCII digits",
    "000001",
  ],
  [
    "a card number too long",
    wire("0100", [2, 11], "2041111111111111111111000001"),
    2,
    "must have 13 to 19 characters, not 20",
    "000001",
  ],
  [
    "a card number too short",
    wire("0100", [2, 11], "12411111111111000001"),
    2,
    "must have 13 to 19 characters, not 12",
    "000001",
  ],
  [
    "a card number of no digit",
    wire("0100", [2, 11], "00000001"),
    2,
    "must have 13 to 19 characters, not 0",
    "000001",
  ],
  [
    "two wrong lengths",
    wire("0100", [2, 11, 32], "04411100000112123456789012"),
    2,
    "must have 13 to 19 characters, not 4",
    "000001",
  ],
  [
    "a wrong length that lies, so that something is left over",
    wire("0100", [2, 11], "124111111111111111000001"),
    2,
    "must have 13 to 19 characters, not 12",
  ],
  [
    "a wrong length that lies, so that something is missing",
    wire("0100", [2, 11], "204111111111111111000001"),
    2,
    "must have 13 to 19 characters, not 20",
  ],
  [
    "a wrong length after DE 11 that lies",
    wire("0100", [11, 32, 49], "00000112123456840"),
    32,
    "is cut short",
    "000001",
  ],
  [
    "a wrong length, then a field that is not spoken",
    wire("0100", [2, 11, 55], "044111000001003abc"),
    2,
    "must have 13 to 19 characters, not 4",
  ],
  ["a length beyond the message", wire("0100", [2, 11], "99411111111111000001"), 2, "is cut short"],
  [
    "an empty acquirer",
    wire("0100", [11, 32], "00000100"),
    32,
    "must have 1 to 11 characters, not 0",
    "000001",
  ],
  [
    "an acquirer too long",
    wire("0100", [11, 32], "00000112123456789012"),
    32,
    "must have 1 to 11 characters, not 12",
    "000001",
  ],
  [
    "additional amounts too long",
    wire("0110", [11, 54], `000001121${"0".repeat(121)}`),
    54,
    "must have 20 to 120 characters, not 121",
    "000001",
  ],
  [
    "a letter in the card number",
    wire("0100", [2, 11], "16411111111111111O000001"),
    2,
    "must consist of digits",
    "000001",
  ],
  [
    "an amount with a sign",
    wire("0100", [4, 11], "-00000001250000001"),
    4,
    "must consist of digits",
    "000001",
  ],
  [
    "an amount with a newline",
    wire("0100", [4, 11], "00000000125\n000001"),
    4,
    "must consist of digits",
    "000001",
  ],
  [
    "digits of another script",
    wire("0100", [4, 11], "00000000125\xb2000001"),
    4,
    "must consist of digits",
    "000001",
  ],
  ["a letter in DE 11 itself", wire("0100", [11, 49], "00000X840"), 11, "must consist of digits"],
  [
    "a blank before an alphanumeric value",
    wire("0110", [11, 38], "000001 12345"),
    38,
    "must consist of letters and digits",
    "000001",
  ],
  [
    "an alphanumeric value of blanks",
    wire("0110", [11, 39], "000001  "),
    39,
    "must consist of letters and digits",
    "000001",
  ],
  [
    "a hyphen in an alphanumeric value",
    wire("0110", [11, 37], "00000112345678-012"),
    37,
    "must consist of letters and digits",
    "000001",
  ],
  [
    "a tab in a name",
    wire("0100", [11, 43], `000001${"\t".padEnd(40)}`),
    43,
    "must consist of printable ASCII characters",
    "000001",
  ],
  [
    "an accent in a name",
    wire("0100", [11, 43], `000001${"CAF\xc9".padEnd(40)}`),
    43,
    "must consist of printable ASCII characters",
    "000001",
  ],
  [
    "bytes after the last field",
    wire("0800", [11], "00000112"),
    "message",
    "goes on for 2 bytes after its fields",
    "000001",
  ],
  [
    "fields that no bit announces",
    wire("0100", [], `${pan}000001`),
    "message",
    "goes on for 24 bytes after its fields",
  ],
  [
    "two faults: the first counts",
    wire("0100", [4, 11, 49], "00000000125X0000018X0"),
    4,
    "must consist of digits",
    "000001",
  ],
  [
    "a wrong character, then a wrong length",
    wire("0100", [3, 11, 32], "00000X00000199"),
    3,
    "must consist of digits",
    "000001",
  ],
])("refuses %s", (_, bytes, place, reason, trace) => {
  const error = refused(bytes);
  expect([error.place, error.reason, error.traceNumber]).toEqual([place, reason, trace]);
});

test("blanks may follow an alphanumeric value", () => {
  expect(decode(wire("0110", [11, 38], "000001A1    ")).fields[38]).toBe("A1    ");
});

test("a message without any field is one", () => {
  expect(decode(wire("0800", [], ""))).toEqual({ mti: "0800", fields: {} });
});

test.each(goldenMessages)(
  "refuses every beginning of $title, and anything after it",
  ({ bytes }) => {
    for (let length = 0; length < bytes.length; length++) refused(bytes.subarray(0, length));
    refused(Buffer.concat([bytes, Buffer.from(" ")]));
  },
);

test("the error names the field, and never what stands in it", () => {
  const error = refused(wire("0100", [2, 11, 48], "16411111111111111X0000010079203987\n"));
  expect(error.message).toBe("DE 2 (Primary account number) must consist of digits");
  expect(inspect(error, { showHidden: true, depth: 9 })).not.toMatch(/41111|987/);
  expect(error.mti).toBe("0100");
});

test("the error tells what an answer repeats, of what was read before it", () => {
  const fields = "0131120000000001120000013106412345603100000001TERM0001MID 1          ";
  const error = refused(wire("0100", [7, 11, 12, 13, 32, 37, 41, 42, 49], `${fields}8X0`));
  expect(error.echo).toEqual({
    7: "0131120000",
    11: "000001",
    12: "120000",
    13: "0131",
    32: "412345",
    37: "603100000001",
    41: "TERM0001",
    42: "MID 1          ",
  });
});
