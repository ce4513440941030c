import { Failure } from "../foundation/failure.ts";
import { isDataUri, parseDataUri } from "./data-uri.ts";
import { type ImageMediaType, type Structure, structureOf } from "./image-structure.ts";

export interface KycImage {
  mediaType: ImageMediaType;
  bytes: Buffer;
}

export const MAX_IMAGE_BYTES = 7.5 * 1024 * 1024;
const MAX_SIDE_PX = 20_000;
const MAX_PX = 100_000_000;

const MAX_BASE64_CHARACTERS = 4 * Math.ceil(MAX_IMAGE_BYTES / 3);
/** What says nothing about the content, and a common mistake that can mean nothing else. */
const otherNames: ReadonlyMap<string, ImageMediaType | undefined> = new Map([
  ["application/octet-stream", undefined],
  ["image/jpg", "image/jpeg"],
]);

/**
 * Reads an image of a document from Base64 or a data URI. What it is, is what its bytes are; a data
 * URI that says something else is refused. `field` names the place of a mistake to the client.
 */
export function readImage(text: string, field: string): KycImage {
  const { declared, bytes } = isDataUri(text)
    ? readDataUri(text, field)
    : { declared: undefined, bytes: readBase64(text, field) };
  if (bytes.length > MAX_IMAGE_BYTES) throw tooLarge(field);
  const structure = structureOf(bytes);
  if (structure === undefined) throw invalid(field, "must be a whole JPEG, PNG, WebP or PDF file");
  if (declared !== undefined && declared !== structure.mediaType) {
    throw invalid(field, `declares a media type that its content, ${structure.mediaType}, is not`);
  }
  checkSizes(structure, field);
  return { mediaType: structure.mediaType, bytes };
}

function readDataUri(text: string, field: string): { declared: string | undefined; bytes: Buffer } {
  const uri = parseDataUri(text);
  if (uri === undefined) throw invalid(field, "must be a valid data URI");
  const { mediaType = "application/octet-stream", isBase64, data } = uri;
  return {
    declared: otherNames.has(mediaType) ? otherNames.get(mediaType) : mediaType,
    bytes: isBase64 ? readBase64(data, field) : Buffer.from(data, "latin1"),
  };
}

function readBase64(base64: string, field: string): Buffer {
  if (base64.length > MAX_BASE64_CHARACTERS) throw tooLarge(field);
  const bytes = Buffer.from(base64, "base64");
  // Decoding skips what is no Base64. Encoding again shows whether there was any such thing.
  if (bytes.length === 0 || bytes.toString("base64") !== base64) {
    throw invalid(field, "must be Base64 without line breaks, or a data URI");
  }
  return bytes;
}

/** A few kilobytes can unfold to gigabytes in whoever decodes them, so that the header is judged here. */
function checkSizes({ sizes }: Structure, field: string): void {
  for (const { width, height } of sizes) {
    if (width === 0 || height === 0) throw invalid(field, "must have a width and a height");
    if (width > MAX_SIDE_PX || height > MAX_SIDE_PX || width * height > MAX_PX) {
      throw invalid(field, "must be at most 20,000 pixels a side and 100 megapixels");
    }
  }
}

const tooLarge = (field: string): Failure => invalid(field, "must be at most 7.5 MiB");

function invalid(field: string, message: string): Failure {
  return new Failure("INVALID_REQUEST", { errors: [{ field, message }] });
}
