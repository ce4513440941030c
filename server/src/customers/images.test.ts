import fc from "fast-check";
import { expect, test } from "vitest";
import {
  jpegSegment,
  pngChunk,
  riff,
  sampleJpeg,
  samplePdf,
  samplePng,
  sampleWebp,
  webpChunk,
} from "../../test/harness/sample-images.ts";
import { Failure } from "../foundation/failure.ts";
import { MAX_IMAGE_BYTES, readImage } from "./images.ts";

const FIELD = "individualKyc.idFrontImage";

function messageOf(text: string): string {
  try {
    readImage(text, FIELD);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    expect(error.codeName).toBe("INVALID_REQUEST");
    expect(error.fields.map(({ field }) => field)).toEqual([FIELD]);
    return error.fields[0]?.message ?? "";
  }
  return "accepted";
}

const base64 = (bytes: Buffer): string => bytes.toString("base64");

/** The smallest files that browsers are known to show. */
const real = {
  png: "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==",
  webpLossy: "UklGRiIAAABXRUJQVlA4IBYAAAAwAQCdASoBAAEADsD+JaQAA3AAAAAA",
  webpLossless: "UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA==",
  webpAlpha:
    "UklGRkoAAABXRUJQVlA4WAoAAAAQAAAAAAAAAAAAQUxQSAwAAAARBxAR/Q9ERP8DAABWUDggGAAAABQBAJ0BKgEAAQAAAP4AAA3AAP7mtQAAAA==",
  webpAnimated:
    "UklGRlIAAABXRUJQVlA4WAoAAAASAAAAAAAAAAAAQU5JTQYAAAD/////AABBTk1GJgAAAAAAAAAAAAAAAAAAAGQAAABWUDhMDQAAAC8AAAAQBxAREYiI/gcA",
};

test.each([
  ["a PNG", base64(samplePng()), "image/png"],
  ["a real PNG", real.png, "image/png"],
  ["a JPEG", base64(sampleJpeg()), "image/jpeg"],
  ["a progressive JPEG", base64(sampleJpeg({ frameMarker: 0xc2 })), "image/jpeg"],
  [
    "a JPEG with data after its end",
    base64(Buffer.concat([sampleJpeg(), Buffer.alloc(40)])),
    "image/jpeg",
  ],
  ["a WebP", base64(sampleWebp()), "image/webp"],
  ["a real lossy WebP", real.webpLossy, "image/webp"],
  ["a real lossless WebP", real.webpLossless, "image/webp"],
  ["a real WebP with transparency", real.webpAlpha, "image/webp"],
  ["a PDF", base64(samplePdf()), "application/pdf"],
  ["a data URI", `data:image/png;base64,${real.png}`, "image/png"],
  ["a data URI in capitals", `DATA:Image/PNG;BASE64,${real.png}`, "image/png"],
  ["a data URI with parameters", `data:image/png;charset=utf-8;base64,${real.png}`, "image/png"],
  ["a data URI of image/jpg", `data:image/jpg;base64,${base64(sampleJpeg())}`, "image/jpeg"],
  ["a data URI without a type", `data:;base64,${real.png}`, "image/png"],
  [
    "a data URI of any bytes",
    `data:application/octet-stream;base64,${base64(samplePdf())}`,
    "application/pdf",
  ],
])("%s is read", (_, text, mediaType) => {
  const image = readImage(text, FIELD);
  expect(image.mediaType).toBe(mediaType);
  expect(base64(image.bytes)).toBe(text.slice(text.indexOf(",") + 1));
});

const escaped = (bytes: Buffer): string => bytes.toString("hex").replace(/../g, "%$&");

test.each([
  ["Base64 with escapes", `data:image/png;base64,${encodeURIComponent(real.png)}`],
  ["escapes alone", `data:image/png,${escaped(Buffer.from(real.png, "base64"))}`],
  ["escapes in capitals", `data:,${escaped(Buffer.from(real.png, "base64")).toUpperCase()}`],
  [
    "escapes where they are needed",
    `data:image/png,${Buffer.from(real.png, "base64")
      .toString("latin1")
      .replace(/[^a-zA-Z0-9]/g, (c) => `%${c.charCodeAt(0).toString(16).padStart(2, "0")}`)}`,
  ],
])("a data URI in %s is read", (_, text) => {
  expect(base64(readImage(text, FIELD).bytes)).toBe(real.png);
});

const notAFile = "must be a whole JPEG, PNG, WebP or PDF file";
const notBase64 = "must be Base64 without line breaks, or a data URI";
const badUri = "must be a valid data URI";
const badType = (mediaType: string) =>
  `declares a media type that its content, ${mediaType}, is not`;

test.each([
  ["nothing", "", notBase64],
  ["a space", " ", notBase64],
  ["words", "not an image at all", notBase64],
  ["a line break", `${real.png.slice(0, 40)}\n${real.png.slice(40)}`, notBase64],
  ["missing padding", real.png.slice(0, -2), notBase64],
  ["too much padding", `${real.png}==`, notBase64],
  ["the other alphabet", "_-8=", notBase64],
  ["bits behind the end", "AAB=", notBase64],
  ["a text", base64(Buffer.from("a text, ".repeat(100))), notAFile],
  [
    "an SVG",
    base64(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'.padEnd(200))),
    notAFile,
  ],
  ["a GIF", base64(Buffer.from("GIF89a".padEnd(200, "\0"))), notAFile],
  ["a data URI of a few letters", "data:image/png,abc", notAFile],
  ["a data URI of nothing without Base64", "data:image/png,", notAFile],
  ["a data URI with half an escape", "data:image/png,%8", badUri],
  ["a data URI with a false escape", `data:image/png;base64,${real.png}%zz`, badUri],
  ["a data URI with letters outside ASCII", "data:image/png,\u0189PNG", badUri],
  ["a data URI without an end", "data:image/png;base64", badUri],
  ["a data URI with a long head", `data:image/png;a=${"b".repeat(500)};base64,${real.png}`, badUri],
  ["a data URI of nothing", "data:image/png;base64,", notBase64],
  ["a JPEG that is a PNG", `data:image/jpeg;base64,${real.png}`, badType("image/png")],
  [
    "a text that is a PDF",
    `data:text/plain;base64,${base64(samplePdf())}`,
    badType("application/pdf"),
  ],
  ["an animated WebP", real.webpAnimated, notAFile],
])("%s is refused", (_, text, message) => {
  expect(messageOf(text)).toBe(message);
});

const png = samplePng();
const jpeg = sampleJpeg();
const signature = png.subarray(0, 8);
const ihdr = png.subarray(8, 33);
const vp8x = webpChunk("VP8X", Buffer.from("00000000000000000000", "hex"));

test.each<[string, Buffer]>([
  ["only a PNG's signature", Buffer.concat([signature, Buffer.alloc(200)])],
  ["a PNG without data", Buffer.concat([signature, ihdr, pngChunk("IEND", Buffer.alloc(0))])],
  ["a PNG without an end", png.subarray(0, -12)],
  [
    "a PNG whose chunk leads out of the file",
    Buffer.concat([signature, ihdr, Buffer.from("fffffff049444154", "hex"), Buffer.alloc(99)]),
  ],
  [
    "a PNG with a false checksum",
    Buffer.concat([
      signature,
      ihdr.subarray(0, -1),
      Buffer.from([(ihdr.at(-1) ?? 0) ^ 1]),
      png.subarray(33),
    ]),
  ],
  ["a PNG that begins with its data", Buffer.concat([signature, png.subarray(33)])],
  ["only a JPEG's start", Buffer.concat([Buffer.from([0xff, 0xd8, 0xff]), Buffer.alloc(200)])],
  [
    "a JPEG without a frame",
    Buffer.concat([
      jpeg.subarray(0, 2),
      jpegSegment(0xda, Buffer.alloc(6)),
      Buffer.from([1, 0xff, 0xd9]),
    ]),
  ],
  ["a JPEG without an end", jpeg.subarray(0, -2)],
  ["a JPEG without a scan", jpeg.subarray(0, 100)],
  [
    "a JPEG whose end comes before its scan",
    Buffer.concat([
      jpeg.subarray(0, 20),
      jpegSegment(0xe1, Buffer.from([0xff, 0xd9])),
      jpeg.subarray(20, -2),
    ]),
  ],
  [
    "a JPEG with a segment of no length",
    Buffer.concat([jpeg.subarray(0, 2), Buffer.from([0xff, 0xe0, 0, 0]), jpeg.subarray(2)]),
  ],
  ["a JPEG of fill bytes", Buffer.concat([jpeg.subarray(0, 2), Buffer.alloc(5000, 0xff)])],
  [
    "a WebP that is longer than it is",
    Buffer.concat([Buffer.from("RIFF\xff\xff\0\0", "latin1"), sampleWebp().subarray(8)]),
  ],
  ["a WebP without a picture", riff(vp8x)],
  [
    "a WebP of sound",
    riff(webpChunk("fmt ", Buffer.alloc(16)), webpChunk("data", Buffer.alloc(64))),
  ],
  [
    "a WebP whose chunk leads out of the file",
    riff(Buffer.from("VP8 \xff\xff\xff\x7f", "latin1"), Buffer.alloc(30)),
  ],
  ["a WebP without its start code", riff(webpChunk("VP8 ", Buffer.alloc(30)))],
  ["a WebP of a few bytes", riff(webpChunk("VP8L", Buffer.from([0x2f])))],
  ["a PDF without an end", samplePdf().subarray(0, -7)],
  ["a PDF whose end is in its middle", Buffer.concat([samplePdf(), Buffer.alloc(5000)])],
  ["a PDF that does not begin as one", Buffer.concat([Buffer.from("\n"), samplePdf()])],
])("%s is refused", (_, bytes) => {
  expect(messageOf(base64(bytes))).toBe(notAFile);
});

const tooManyPixels = "must be at most 20,000 pixels a side and 100 megapixels";
const bigCanvas = webpChunk("VP8X", Buffer.from("00000000ffffffffffff", "hex"));
const bigLossless = Buffer.concat([Buffer.from("2fffffff0f", "hex"), Buffer.alloc(20)]);

test.each<[string, Buffer, string]>([
  ["a PNG of 20,000 × 5,000", samplePng({ width: 20_000, height: 5_000 }), "accepted"],
  ["a PNG of 5,000 × 20,000", samplePng({ width: 5_000, height: 20_000 }), "accepted"],
  ["a PNG of 20,001 × 1", samplePng({ width: 20_001 }), tooManyPixels],
  ["a PNG of 1 × 4294967295", samplePng({ height: 0xffff_ffff }), tooManyPixels],
  ["a PNG of 10,001 × 10,000", samplePng({ width: 10_001, height: 10_000 }), tooManyPixels],
  ["a PNG of 0 × 1", samplePng({ width: 0 }), "must have a width and a height"],
  ["a JPEG of 65,535 × 65,535", sampleJpeg({ width: 65_535, height: 65_535 }), tooManyPixels],
  ["a JPEG of 1 × 0", sampleJpeg({ height: 0 }), "must have a width and a height"],
  ["a WebP of 16,383 × 16,383", sampleWebp({ width: 16_383, height: 16_383 }), tooManyPixels],
  ["a lossless WebP of 16,384 × 16,384", riff(webpChunk("VP8L", bigLossless)), tooManyPixels],
  ["a WebP on a huge canvas", riff(bigCanvas, sampleWebp().subarray(12)), tooManyPixels],
  [
    "a WebP larger than its canvas",
    riff(vp8x, sampleWebp({ width: 16_383, height: 16_383 }).subarray(12)),
    tooManyPixels,
  ],
])("%s: %3$s", (_, bytes, message) => {
  expect(messageOf(base64(bytes))).toBe(message);
});

test("a file of exactly 7.5 MiB is read, one byte more is too much", () => {
  const atLimit = Buffer.concat([
    sampleJpeg(),
    Buffer.alloc(MAX_IMAGE_BYTES - sampleJpeg().length),
  ]);
  expect(readImage(`data:image/jpeg;base64,${base64(atLimit)}`, FIELD).bytes.length).toBe(
    7_864_320,
  );
  const tooLong = Buffer.concat([atLimit, Buffer.alloc(1)]);
  expect(messageOf(base64(tooLong))).toBe("must be at most 7.5 MiB");
  expect(messageOf("A".repeat(20_000_000))).toBe("must be at most 7.5 MiB");
  const plain = `data:image/jpeg,${"A".repeat(MAX_IMAGE_BYTES + 1)}`;
  expect(messageOf(plain)).toBe("must be at most 7.5 MiB");
});

test("no bytes and no text do more than be refused", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
      expect(messageOf(base64(Buffer.from(bytes)))).not.toBe("accepted");
    }),
  );
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 300 }), (text) => {
      expect(messageOf(text)).not.toBe("accepted");
    }),
  );
});

test("a real file that is cut or changed anywhere is read or refused, never worse", () => {
  const files = [
    samplePng(),
    sampleJpeg(),
    sampleWebp(),
    samplePdf(),
    ...Object.values(real).map((text) => Buffer.from(text, "base64")),
  ];
  fc.assert(
    fc.property(
      fc.constantFrom(...files),
      fc.nat(),
      fc.nat(255),
      fc.nat(),
      (file, at, value, cut) => {
        const changed = Buffer.from(file.subarray(0, 1 + (cut % file.length)));
        changed[at % changed.length] = value;
        expect(typeof messageOf(base64(changed))).toBe("string");
      },
    ),
    { numRuns: 1000 },
  );
});
