/** Works in browsers and in Node: nothing but Web standards. */

export interface SignedRequest {
  method: string;
  /** The whole address with its query, exactly as it is sent. */
  url: string;
  reference: string;
  clientId: string;
  clientSecret: string;
}

/** The text whose digest becomes the Signature header. */
export function textToSign({
  method,
  url,
  reference,
  clientId,
  clientSecret,
}: SignedRequest): string {
  return [method.toUpperCase(), encodeURIComponent(url), reference, clientId, clientSecret].join(
    "&",
  );
}

/** The digest in lower-case hexadecimal, and that text once more in Base64, which is the signature. */
export async function signText(text: string): Promise<{ digest: string; signature: string }> {
  const bytes = await crypto.subtle.digest("SHA-1", new TextEncoder().encode(text));
  const digest = Array.from(new Uint8Array(bytes), (byte) =>
    byte.toString(16).padStart(2, "0"),
  ).join("");
  return { digest, signature: base64Of(digest) };
}

/** Base64 of the text's UTF-8 bytes. */
export function base64Of(text: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)));
}

/** Twenty characters that nobody has used before. */
export function newReference(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(10));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
