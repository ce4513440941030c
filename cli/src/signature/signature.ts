import { createHash } from "node:crypto";

/** What a signature covers. */
export interface Signed {
  method: string;
  url: string;
  reference: string;
  clientId: string;
  clientSecret: string;
}

/** The text that is digested; `urlencode` is what the client's language has. */
export function textToSign(
  parts: Signed,
  urlencode: (url: string) => string = encodeURIComponent,
): string {
  const { method, url, reference, clientId, clientSecret } = parts;
  return [method, urlencode(url), reference, clientId, clientSecret].join("&");
}

export const digestHex = (text: string): string => createHash("sha1").update(text).digest("hex");

export const sign = (parts: Signed): string =>
  Buffer.from(digestHex(textToSign(parts))).toString("base64");
