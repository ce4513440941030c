import { crc32, deflateSync } from "node:zlib";

/** Small files for tests, of any stated size: the pictures are honest, the sizes need not be. */

export function samplePng({ width = 1, height = 1 } = {}): Buffer {
  const ihdr = Buffer.alloc(13);
  ihdr.writeUInt32BE(width, 0);
  ihdr.writeUInt32BE(height, 4);
  ihdr.set([8, 2], 8);
  return Buffer.concat([
    Buffer.from("89504e470d0a1a0a", "hex"),
    pngChunk("IHDR", ihdr),
    pngChunk("IDAT", deflateSync(Buffer.from([0, 200, 30, 30]))),
    pngChunk("IEND", Buffer.alloc(0)),
  ]);
}

export function pngChunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const crc = Buffer.alloc(4);
  crc.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, crc]);
}

export function sampleJpeg({ width = 1, height = 1, frameMarker = 0xc0 } = {}): Buffer {
  const frame = Buffer.from([8, 0, 0, 0, 0, 1, 1, 0x11, 0]);
  frame.writeUInt16BE(height, 1);
  frame.writeUInt16BE(width, 3);
  return Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    jpegSegment(0xe0, Buffer.from("JFIF\0\x01\x01\0\0\x01\0\x01\0\0", "latin1")),
    jpegSegment(0xdb, Buffer.alloc(65, 1)),
    jpegSegment(frameMarker, frame),
    jpegSegment(0xc4, Buffer.from([0, 1, ...Array(15).fill(0), 0])),
    jpegSegment(0xda, Buffer.from([1, 1, 0, 0, 63, 0])),
    Buffer.from([0x3f, 0xff, 0xd9]),
  ]);
}

export function jpegSegment(marker: number, data: Buffer): Buffer {
  const head = Buffer.from([0xff, marker, 0, 0]);
  head.writeUInt16BE(data.length + 2, 2);
  return Buffer.concat([head, data]);
}

export function sampleWebp({ width = 1, height = 1 } = {}): Buffer {
  const lossy = Buffer.from("300100" + "9d012a" + "00000000" + "0ec0fe25a4000370000000", "hex");
  lossy.writeUInt16LE(width, 6);
  lossy.writeUInt16LE(height, 8);
  return riff(webpChunk("VP8 ", lossy));
}

export function webpChunk(type: string, data: Buffer): Buffer {
  const head = Buffer.alloc(8);
  head.write(type, "latin1");
  head.writeUInt32LE(data.length, 4);
  return Buffer.concat([head, data, Buffer.alloc(data.length % 2)]);
}

export function riff(...chunks: Buffer[]): Buffer {
  const body = Buffer.concat([Buffer.from("WEBP"), ...chunks]);
  const head = Buffer.alloc(8);
  head.write("RIFF");
  head.writeUInt32LE(body.length, 4);
  return Buffer.concat([head, body]);
}

export function samplePdf(extra = ""): Buffer {
  return Buffer.from(
    `%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[]/Count 0>>endobj\ntrailer<</Root 1 0 R${extra}>>\n%%EOF\n`,
    "latin1",
  );
}
