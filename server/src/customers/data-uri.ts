/** A data URI as RFC 2397 has it: its type may be missing, and so may Base64. */
export interface DataUri {
  mediaType: string | undefined;
  isBase64: boolean;
  /** What follows the comma, each character a byte, without its escapes. */
  data: string;
}

const MAX_HEADER_CHARACTERS = 128;
const HEADER =
  /^data:(?<mediaType>[a-z]+\/[a-z0-9.+-]+)?(?:;[a-z0-9-]+=[a-z0-9._-]+)*(?<base64>;base64)?$/i;
const NOT_URI = /%(?![0-9a-f]{2})|[^\x21-\x7e]/i;

export const isDataUri = (text: string): boolean => text.slice(0, 5).toLowerCase() === "data:";

/** Undefined when it is not valid. */
export function parseDataUri(text: string): DataUri | undefined {
  const comma = text.slice(0, MAX_HEADER_CHARACTERS).indexOf(",");
  const header = HEADER.exec(text.slice(0, Math.max(comma, 0)))?.groups;
  const data = text.slice(comma + 1);
  if (header === undefined) return undefined;
  const isBase64 = header.base64 !== undefined;
  const hasEscapes = data.includes("%");
  // Plain Base64 is judged when it is decoded; there may be megabytes of it.
  if ((hasEscapes || !isBase64) && NOT_URI.test(data)) return undefined;
  return {
    mediaType: header.mediaType?.toLowerCase(),
    isBase64,
    data: hasEscapes ? withoutEscapes(data) : data,
  };
}

const PERCENT = "%".charCodeAt(0);

/** There may be millions of them, so that they are not replaced one by one. */
function withoutEscapes(text: string): string {
  const bytes = Buffer.from(text, "latin1");
  let length = 0;
  for (let at = 0; at < bytes.length; at++) {
    const isEscape = bytes[at] === PERCENT;
    bytes[length++] = isEscape
      ? digit(bytes[++at]) * 16 + digit(bytes[++at])
      : (bytes[at] as number);
  }
  return bytes.toString("latin1", 0, length);
}

/** Of a hexadecimal digit's character: letters have a bit that digits have not. */
const digit = (code = 0): number => (code & 0xf) + (code & 0x40 ? 9 : 0);
