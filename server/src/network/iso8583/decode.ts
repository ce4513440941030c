import { type FieldNumber, type FieldSpec, type Message, specOf } from "./fields.ts";
import { type Fault, FormatError } from "./format-error.ts";
import { isMti } from "./message-types.ts";
import { faultOfCharacters, faultOfLength } from "./value.ts";

const MTI_BYTES = 4;
const BITS_PER_BITMAP = 64;

type ReadFields = { [Number in FieldNumber]?: string };

/**
 * Reads a message. Whatever is not exactly as the table says is refused. A wrong character leaves
 * the fields after it where they are, so that reading goes on and the error can tell DE 11. So does a
 * length that the field may not have, if the message comes out even with it. A length that cannot be
 * or a field of unknown length does not, and nothing after it is believed.
 */
export function decode(bytes: Buffer): Message {
  const text = bytes.toString("latin1");
  const mti = text.slice(0, MTI_BYTES);
  // Another first digit is another edition of the standard, with fields of other lengths.
  if (!/^0[0-9]{3}$/.test(mti)) {
    throw new FormatError({ place: "MTI", reason: "is not one of ISO 8583:1987 in ASCII" });
  }
  const fields: ReadFields = {};
  const fault = readFields(text, fields);
  if (!isMti(mti)) {
    throw new FormatError({ place: "MTI", reason: "is not spoken here" }, { mti, fields });
  }
  if (fault !== undefined) throw new FormatError(fault, { mti, fields });
  return { mti, fields };
}

/** How far reading has come. */
interface Reading {
  position: number;
  /** The first. */
  fault: Fault | undefined;
  /** Read after a length that the field may not have, which may have led astray. */
  doubtful: FieldNumber[] | undefined;
}

/** Collects the fields that are good, and gives the first fault. */
function readFields(text: string, fields: ReadFields): Fault | undefined {
  const bitmap = readBitmap(text);
  if ("reason" in bitmap) return bitmap;
  const { bits, end: position, fault } = bitmap;
  const reading: Reading = { position, fault, doubtful: undefined };
  const stop = readInOrder(text, bits, fields, reading);
  if (stop !== undefined) for (const number of reading.doubtful ?? []) delete fields[number];
  return reading.fault ?? stop;
}

/** Gives the fault after which nothing can be read, or that something is left over. */
function readInOrder(
  text: string,
  bits: number,
  fields: ReadFields,
  reading: Reading,
): Fault | undefined {
  for (let number = 2; number <= bits; number++) {
    if (!isSet(text, number)) continue;
    const spec = specOf(number);
    if (spec === undefined) return { place: number, reason: "is not spoken here" };
    const extent = extentOf(spec, text, reading.position);
    if (typeof extent === "string") return { place: number, reason: extent };
    readField(spec, number as FieldNumber, text.slice(extent.start, extent.end), fields, reading);
    reading.position = extent.end;
  }
  const left = text.length - reading.position;
  if (left === 0) return undefined;
  return { place: "message", reason: `goes on for ${left} bytes after its fields` };
}

function readField(
  spec: FieldSpec,
  number: FieldNumber,
  value: string,
  fields: ReadFields,
  reading: Reading,
): void {
  const wrongLength = faultOfLength(spec, value.length);
  const reason = wrongLength ?? faultOfCharacters(spec, value);
  if (reason === undefined) {
    fields[number] = value;
    reading.doubtful?.push(number);
  } else {
    reading.fault ??= { place: number, reason };
  }
  if (wrongLength !== undefined) reading.doubtful ??= [];
}

interface Bitmap {
  bits: number;
  end: number;
  fault: Fault | undefined;
}

function readBitmap(text: string): Bitmap | Fault {
  const bits = isSet(text, 1) ? 2 * BITS_PER_BITMAP : BITS_PER_BITMAP;
  const end = MTI_BYTES + bits / 8;
  if (text.length < end) return { place: "bitmap", reason: "is cut short" };
  const isNeedless =
    bits > BITS_PER_BITMAP && /^\0+$/.test(text.slice(end - BITS_PER_BITMAP / 8, end));
  const fault = { place: "bitmap", reason: "announces a second one that is empty" } as const;
  return { bits, end, fault: isNeedless ? fault : undefined };
}

/** Bits count from 1, the highest of the first byte; the second bitmap follows the first. */
function isSet(text: string, bit: number): boolean {
  const byte = text.charCodeAt(MTI_BYTES + ((bit - 1) >> 3));
  return (byte & (0x80 >> ((bit - 1) & 7))) !== 0;
}

/** From where to where the value stands, or why that cannot be told. */
function extentOf(
  spec: FieldSpec,
  text: string,
  position: number,
): { start: number; end: number } | string {
  const start = position + spec.lengthDigits;
  const length = lengthOf(spec, text.slice(position, start));
  if (typeof length === "string") return length;
  return start + length > text.length ? "is cut short" : { start, end: start + length };
}

function lengthOf(spec: FieldSpec, written: string): number | string {
  if (spec.lengthDigits === 0) return spec.maxLength;
  if (written.length < spec.lengthDigits) return "is cut short";
  if (!/^[0-9]+$/.test(written)) return "must have its length before it in ASCII digits";
  return Number(written);
}
