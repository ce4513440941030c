import { type FieldNumber, type FieldSpec, type Fields, type Message, specOf } from "./fields.ts";
import { FormatError } from "./format-error.ts";
import { isMti } from "./message-types.ts";
import { faultOfCharacters, faultOfLength } from "./value.ts";

const BYTES_PER_BITMAP = 8;

/** Writes a message. It pads and cuts nothing: every field must be exactly as it is sent. */
export function encode({ mti, fields }: Message): Buffer {
  if (!isMti(mti)) throw new FormatError({ place: "MTI", reason: "is not spoken here" });
  return write(mti, fields);
}

/** Writes fields under any type, since a refusal may have to answer one that is not spoken here. */
export function write(mti: string, fields: Fields): Buffer {
  const bitmap = new Uint8Array(2 * BYTES_PER_BITMAP);
  let body = "";
  // Keys that are whole numbers come in ascending order, which is the order of the fields.
  for (const key in fields) {
    const number = Number(key);
    const spec = String(number) === key ? specOf(number) : undefined;
    if (spec === undefined) refuse(number, "is not spoken here");
    const value = fields[number as FieldNumber] ?? "";
    const reason = faultOfLength(spec, value.length) ?? faultOfCharacters(spec, value);
    if (reason !== undefined) refuse(number, reason);
    body += lengthBefore(spec, value) + value;
    const index = (number - 1) >> 3;
    bitmap[index] = (bitmap[index] ?? 0) | (0x80 >> ((number - 1) & 7));
  }
  return Buffer.from(mti + bitmapText(bitmap) + body, "latin1");
}

function refuse(number: number, reason: string): never {
  throw new FormatError({ place: number, reason });
}

function lengthBefore({ lengthDigits }: FieldSpec, value: string): string {
  return lengthDigits === 0 ? "" : String(value.length).padStart(lengthDigits, "0");
}

/** The second bitmap goes out only when it is needed, and the first bit of the first says so. */
function bitmapText(bitmap: Uint8Array): string {
  const isLong = bitmap.subarray(BYTES_PER_BITMAP).some((byte) => byte !== 0);
  if (!isLong) return String.fromCharCode(...bitmap.subarray(0, BYTES_PER_BITMAP));
  const [first = 0, ...others] = bitmap;
  return String.fromCharCode(first | 0x80, ...others);
}
