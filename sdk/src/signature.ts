import { base64, hex, utf8 } from "./encoding.ts";

export interface Signed {
  method: string;
  /** Exactly as it is sent. */
  url: string;
  reference: string;
  clientId: string;
  clientSecret: string;
}

/** The Signature header: Base64 of the lower-case hexadecimal SHA-1. */
export async function sign(signed: Signed): Promise<string> {
  const { method, url, reference, clientId, clientSecret } = signed;
  const text = [method, encodeURIComponent(url), reference, clientId, clientSecret].join("&");
  const digest = await crypto.subtle.digest("SHA-1", utf8(text));
  return base64(hex(new Uint8Array(digest)));
}
