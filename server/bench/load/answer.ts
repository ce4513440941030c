/** Where the body of an HTTP message lies. */
export interface Extent {
  bodyAt: number;
  end: number;
}

export interface Answer extends Extent {
  status: number;
}

const STATUS_AT = "HTTP/1.1 ".length;
const ZERO = "0".charCodeAt(0);
const HEAD_END = Buffer.from("\r\n\r\n");
const LENGTH = Buffer.from("\r\ncontent-length: ");
const SUCCESS = Buffer.from('"responseCode":"000"');

/** Measures the message at the beginning of `bytes`; undefined while it is not complete. */
export function readExtent(bytes: Buffer): Extent | undefined {
  const headEnd = bytes.indexOf(HEAD_END);
  if (headEnd === -1) return undefined;
  const lengthAt = bytes.indexOf(LENGTH);
  if (lengthAt === -1 || lengthAt > headEnd) {
    throw new Error(`a message without content-length: ${bytes.toString("latin1", 0, headEnd)}`);
  }
  const bodyAt = headEnd + HEAD_END.length;
  const end = bodyAt + readNumber(bytes, lengthAt + LENGTH.length);
  return end > bytes.length ? undefined : { bodyAt, end };
}

/** The same for an answer. */
export function readAnswer(bytes: Buffer): Answer | undefined {
  const extent = readExtent(bytes);
  return extent && { status: readNumber(bytes, STATUS_AT), ...extent };
}

/** Whether the service did what it was asked: HTTP says so, and the envelope too. */
export function isSuccess(bytes: Buffer, { status, bodyAt, end }: Answer): boolean {
  const found = bytes.indexOf(SUCCESS, bodyAt);
  return status === 200 && found !== -1 && found < end;
}

function readNumber(bytes: Buffer, from: number): number {
  let number = 0;
  for (let at = from; ; at++) {
    const digit = (bytes[at] ?? 0) - ZERO;
    if (digit < 0 || digit > 9) return number;
    number = number * 10 + digit;
  }
}
