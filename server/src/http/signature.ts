import { hash } from "node:crypto";

type SignedParts = {
  readonly method: string;
  readonly url: string;
  readonly reference: string;
  readonly clientId: string;
  readonly clientSecret: string;
};

/** Signs as the canonical client does: the URL goes through `encodeURIComponent`. */
export function sign(
  method: string,
  url: string,
  reference: string,
  clientId: string,
  clientSecret: string,
): string {
  const parts = { method: method.toUpperCase(), url, reference, clientId, clientSecret };
  return signatureOf(encodeURIComponent(url), parts);
}

/**
 * Clients encode the URL with whatever their language offers, so every usual encoder's output is
 * accepted and nothing else is. The canonical encoding is tried first: for almost every client it
 * is the one that was used, and then the check costs one digest.
 */
export function verifySignature(given: string, parts: SignedParts): boolean {
  if (given.length !== SIGNATURE_LENGTH || !PRINTABLE_ASCII.test(parts.url)) return false;
  const canonical = encodeURIComponent(parts.url);
  if (sameText(given, signatureOf(canonical, parts))) return true;
  return otherEncodings(canonical).some((encoded) => sameText(given, signatureOf(encoded, parts)));
}

/** Base64 of the 40 characters of a hexadecimal SHA-1 digest. */
const SIGNATURE_LENGTH = 56;

/** A request line carries nothing else, so no encoder's treatment of spaces or Unicode matters. */
const PRINTABLE_ASCII = /^[!-~]*$/;

/** The characters on which the encoders disagree; all of them encode the rest alike. */
const CONTESTED = /[!'()*~]/;
const EACH_CONTESTED = /[!'()*~]/g;
const EACH_ESCAPE = /%[0-9A-F]{2}/g;

const KEPT_BY_RFC_3986 = "~"; // Python, PHP rawurlencode, Go, C# Uri.EscapeDataString
const KEPT_BY_PHP_URLENCODE = "";
const KEPT_BY_JAVA = "*";
const KEPT_BY_DOTNET_WEB = "!()*"; // WebUtility and HttpUtility; the latter in lower case

function otherEncodings(canonical: string): string[] {
  const webUtility = escapeAllBut(KEPT_BY_DOTNET_WEB, canonical);
  const httpUtility = webUtility.replace(EACH_ESCAPE, (escaped) => escaped.toLowerCase());
  if (!CONTESTED.test(canonical)) return [httpUtility];
  const candidates = new Set([
    escapeAllBut(KEPT_BY_RFC_3986, canonical),
    escapeAllBut(KEPT_BY_PHP_URLENCODE, canonical),
    escapeAllBut(KEPT_BY_JAVA, canonical),
    webUtility,
    httpUtility,
  ]);
  candidates.delete(canonical);
  return [...candidates];
}

function escapeAllBut(kept: string, canonical: string): string {
  return canonical.replace(EACH_CONTESTED, (character) =>
    kept.includes(character) ? character : `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

function signatureOf(encodedUrl: string, parts: SignedParts): string {
  const { method, reference, clientId, clientSecret } = parts;
  const text = `${method}&${encodedUrl}&${reference}&${clientId}&${clientSecret}`;
  DIGEST_TEXT.write(hash("sha1", text, "hex"), "latin1");
  return DIGEST_TEXT.toString("base64");
}

/** Both texts have the length of a signature; no early exit tells how much of it was right. */
function sameText(given: string, expected: string): boolean {
  let difference = 0;
  for (let i = 0; i < SIGNATURE_LENGTH; i++) {
    difference |= given.charCodeAt(i) ^ expected.charCodeAt(i);
  }
  return difference === 0;
}

/** The 40 hexadecimal characters of a digest; one buffer for all, since nothing here waits. */
const DIGEST_TEXT = Buffer.alloc(40);
