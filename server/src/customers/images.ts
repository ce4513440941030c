import { Failure } from "../foundation/failure.ts";
import { type ImageMediaType, type Structure, structureOf } from "./image-structure.ts";

export interface KycImage {
  mediaType: ImageMediaType;
  bytes: Buffer;
}

export const MAX_IMAGE_BYTES = 7.5 * 1024 * 1024;
const MAX_SIDE_PX = 20_000;
const MAX_PX = 100_000_000;

const MAX_BASE64_CHARACTERS = 4 * Math.ceil(MAX_IMAGE_BYTES / 3);
const MAX_DATA_URI_HEADER_CHARACTERS = 128;
const DATA_URI_HEADER = /^data:([a-z]+\/[a-z0-9.+-]+)(?:;[a-z0-9-]+=[a-z0-9._-]+)*;base64$/i;

/**
 * Reads an image of a document from Base64 or a data URI. What it is, is what its bytes are; a data
 * URI that says something else is refused. `field` names the place of a mistake to the client.
 */
export function readImage(text: string, field: string): KycImage {
  const { declared, base64 } = splitDataUri(text, field);
  if (base64.length > MAX_BASE64_CHARACTERS) throw invalid(field, "must be at most 7.5 MiB");
  const bytes = Buffer.from(base64, "base64");
  // Decoding skips what is no Base64. Encoding again shows whether there was any such thing.
  if (bytes.length === 0 || bytes.toString("base64") !== base64) {
    throw invalid(field, "must be Base64 without line breaks, or a data URI");
  }
  if (bytes.length > MAX_IMAGE_BYTES) throw invalid(field, "must be at most 7.5 MiB");
  const structure = structureOf(bytes);
  if (structure === undefined) throw invalid(field, "must be a whole JPEG, PNG, WebP or PDF file");
  if (declared !== undefined && declared !== structure.mediaType) {
    throw invalid(field, `declares a media type that its content, ${structure.mediaType}, is not`);
  }
  checkSizes(structure, field);
  return { mediaType: structure.mediaType, bytes };
}

function splitDataUri(text: string, field: string): { declared?: string; base64: string } {
  if (text.slice(0, 5).toLowerCase() !== "data:") return { base64: text };
  const comma = text.slice(0, MAX_DATA_URI_HEADER_CHARACTERS).indexOf(",");
  const [, type] = DATA_URI_HEADER.exec(text.slice(0, Math.max(comma, 0))) ?? [];
  if (type === undefined) throw invalid(field, "must be a data URI in Base64 with its media type");
  const declared = type.toLowerCase();
  // A common mistake that can mean nothing else.
  return {
    declared: declared === "image/jpg" ? "image/jpeg" : declared,
    base64: text.slice(comma + 1),
  };
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

function invalid(field: string, message: string): Failure {
  return new Failure("INVALID_REQUEST", { errors: [{ field, message }] });
}
