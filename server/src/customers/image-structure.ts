import { crc32 } from "node:zlib";

export type ImageMediaType = "image/jpeg" | "image/png" | "image/webp" | "application/pdf";

interface Size {
  width: number;
  height: number;
}

/** What the bytes are; `sizes` are the dimensions that a decoder would make room for. */
export interface Structure {
  mediaType: ImageMediaType;
  sizes: Size[];
}

/**
 * Recognises a file by its structure, not by its first bytes alone, and without decoding anything:
 * every reader below only follows lengths forward, so that a hostile file costs no more than its size.
 */
export function structureOf(bytes: Buffer): Structure | undefined {
  for (const [mediaType, sizesOf] of readers) {
    const sizes = sizesOf(bytes);
    if (sizes !== undefined) return { mediaType, sizes };
  }
  return undefined;
}

type SizesOf = (bytes: Buffer) => Size[] | undefined;

const PNG_SIGNATURE = Buffer.from("89504e470d0a1a0a", "hex");
const IHDR_BYTES = 13;
const CHUNK_FRAME_BYTES = 12;

/** The signature, a sound IHDR, image data, and IEND. */
function pngSizes(bytes: Buffer): Size[] | undefined {
  if (!bytes.subarray(0, 8).equals(PNG_SIGNATURE)) return undefined;
  const ihdr = pngHeader(bytes);
  if (ihdr === undefined) return undefined;
  let hasData = false;
  for (let at = 8; at + CHUNK_FRAME_BYTES <= bytes.length; ) {
    const type = bytes.toString("latin1", at + 4, at + 8);
    if (type === "IEND") return hasData ? [ihdr] : undefined;
    hasData ||= type === "IDAT";
    at += CHUNK_FRAME_BYTES + bytes.readUInt32BE(at);
  }
  return undefined;
}

function pngHeader(bytes: Buffer): Size | undefined {
  const typeAt = 12;
  const crcAt = typeAt + 4 + IHDR_BYTES;
  if (bytes.length < crcAt + 4 || bytes.readUInt32BE(8) !== IHDR_BYTES) return undefined;
  if (bytes.toString("latin1", typeAt, typeAt + 4) !== "IHDR") return undefined;
  if (crc32(bytes.subarray(typeAt, crcAt)) !== bytes.readUInt32BE(crcAt)) return undefined;
  return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
}

const SOS = 0xda;
const EOI = 0xd9;

/** SOI, a frame header, a scan, and an EOI after it; cameras append data of their own to that. */
function jpegSizes(bytes: Buffer): Size[] | undefined {
  if (bytes.length < 4 || bytes.readUInt16BE(0) !== 0xffd8) return undefined;
  const sizes: Size[] = [];
  for (let at = 2; at + 4 <= bytes.length; ) {
    if (bytes[at] !== 0xff) return undefined;
    const marker = bytes[at + 1] ?? 0;
    if (marker === 0xff) {
      at += 1; // A marker may be preceded by any number of fill bytes.
      continue;
    }
    const length = bytes.readUInt16BE(at + 2);
    if (!hasLength(marker) || length < 2) return undefined;
    if (marker === SOS)
      return sizes.length > 0 && hasEnd(bytes, at + 2 + length) ? sizes : undefined;
    if (isFrame(marker)) {
      if (length < 8 || at + 9 > bytes.length) return undefined;
      sizes.push({ height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) });
    }
    at += 2 + length;
  }
  return undefined;
}

/** SOF0 to SOF15, among which DHT, JPG and DAC have their numbers. */
const isFrame = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;

const hasLength = (marker: number): boolean => marker >= 0xc0 && !(marker >= 0xd0 && marker <= EOI);

function hasEnd(bytes: Buffer, scanAt: number): boolean {
  return bytes.lastIndexOf(Buffer.from([0xff, EOI])) >= scanAt;
}

const RIFF_HEADER_BYTES = 12;

/** A RIFF of the right size with a still picture in it; animations are no identity documents. */
function webpSizes(bytes: Buffer): Size[] | undefined {
  if (bytes.length < RIFF_HEADER_BYTES + 8 || bytes.toString("latin1", 0, 4) !== "RIFF")
    return undefined;
  const end = bytes.readUInt32LE(4) + 8;
  if (bytes.toString("latin1", 8, 12) !== "WEBP" || end > bytes.length) return undefined;
  const sizes: Size[] = [];
  let hasPicture = false;
  for (let at = RIFF_HEADER_BYTES; at + 8 <= end; ) {
    const type = bytes.toString("latin1", at, at + 4);
    const length = bytes.readUInt32LE(at + 4);
    if (at + 8 + length > end) return undefined;
    const sizeOf = webpChunks[type];
    if (sizeOf !== undefined) {
      const size = sizeOf(bytes.subarray(at + 8, at + 8 + length));
      if (size === undefined) return undefined;
      sizes.push(size);
      hasPicture ||= type !== "VP8X";
    } else if (at === RIFF_HEADER_BYTES) {
      return undefined;
    }
    at += 8 + length + (length % 2);
  }
  return hasPicture ? sizes : undefined;
}

const webpChunks: Readonly<Record<string, (data: Buffer) => Size | undefined>> = {
  VP8X: (data) =>
    data.length < 10
      ? undefined
      : { width: data.readUIntLE(4, 3) + 1, height: data.readUIntLE(7, 3) + 1 },
  VP8L: (data) => {
    if (data.length < 5 || data[0] !== 0x2f) return undefined;
    const packed = data.readUInt32LE(1);
    return { width: (packed & 0x3fff) + 1, height: ((packed >>> 14) & 0x3fff) + 1 };
  },
  "VP8 ": (data) => {
    const isKeyFrame = ((data[0] ?? 1) & 1) === 0;
    if (data.length < 10 || !isKeyFrame || data.readUIntBE(3, 3) !== 0x9d012a) return undefined;
    return { width: data.readUInt16LE(6) & 0x3fff, height: data.readUInt16LE(8) & 0x3fff };
  },
};

const PDF_HEADER = /^%PDF-[12]\.\d/;
const PDF_TAIL_BYTES = 1024;

/** Pages have no pixels, so a PDF has no sizes. */
function pdfSizes(bytes: Buffer): Size[] | undefined {
  if (!PDF_HEADER.test(bytes.toString("latin1", 0, 8))) return undefined;
  const tail = bytes.subarray(Math.max(8, bytes.length - PDF_TAIL_BYTES));
  return tail.includes("%%EOF") ? [] : undefined;
}

const readers: readonly (readonly [ImageMediaType, SizesOf])[] = [
  ["image/jpeg", jpegSizes],
  ["image/png", pngSizes],
  ["image/webp", webpSizes],
  ["application/pdf", pdfSizes],
];
