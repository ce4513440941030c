import { randomBytes } from "node:crypto";
import type { KycImage } from "../../customers/images.ts";

const fileNames = {
  "image/jpeg": "document.jpg",
  "image/png": "document.png",
  "image/webp": "document.webp",
  "application/pdf": "document.pdf",
} as const;

/** A form with a document's description and its image. Built here because the signature needs its bytes. */
export function documentForm(
  metadata: Readonly<Record<string, string>>,
  { mediaType, bytes }: KycImage,
): { contentType: string; body: Buffer } {
  const boundary = `florin-${randomBytes(24).toString("hex")}`;
  const beforeImage = [
    `--${boundary}`,
    'Content-Disposition: form-data; name="metadata"',
    "Content-Type: application/json",
    "",
    JSON.stringify(metadata),
    `--${boundary}`,
    `Content-Disposition: form-data; name="content"; filename="${fileNames[mediaType]}"`,
    `Content-Type: ${mediaType}`,
    "",
    "",
  ].join("\r\n");
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    body: Buffer.concat([Buffer.from(beforeImage), bytes, Buffer.from(`\r\n--${boundary}--\r\n`)]),
  };
}
