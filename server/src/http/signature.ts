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
  return Buffer.from(digestOf(encodeURIComponent(url), parts), "latin1").toString("base64");
}

/**
 * Clients encode the URL with whatever their language offers, so every usual encoder's output is
 * accepted and nothing else is. The canonical encoding is tried first: for almost every client it
 * is the one that was used, and then the check costs one digest.
 */
export function verifySignature(given: string, parts: SignedParts): boolean {
  if (given.length !== SIGNATURE_LENGTH) return false;
  const canonical = canonicalEncoding(parts.url);
  if (canonical === undefined) return false;
  if (isSignature(given, digestOf(canonical, parts))) return true;
  return otherEncodings(canonical).some((encoded) => isSignature(given, digestOf(encoded, parts)));
}

// Clients call the same few addresses again and again.
let lastUrl = "";
let lastEncoding: string | undefined = "";

function canonicalEncoding(url: string): string | undefined {
  if (url !== lastUrl) {
    lastUrl = url;
    lastEncoding = PRINTABLE_ASCII.test(url) ? encodeURIComponent(url) : undefined;
  }
  return lastEncoding;
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

function digestOf(encodedUrl: string, parts: SignedParts): string {
  const { method, reference, clientId, clientSecret } = parts;
  return hash("sha1", `${method}&${encodedUrl}&${reference}&${clientId}&${clientSecret}`, "hex");
}

const BASE64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const base64Codes = Uint8Array.from(BASE64, (character) => character.charCodeAt(0));
const PADDING = "=".charCodeAt(0);

/**
 * Whether a text of a signature's length is the Base64 of this digest. It is compared sextet by sextet,
 * which makes no text of its own, and without an early exit, which would tell how much of it was right.
 */
function isSignature(given: string, digest: string): boolean {
  let difference = 0;
  for (let i = 0, at = 0; i < digest.length; i += 3, at += 4) {
    const bits =
      (digest.charCodeAt(i) << 16) | (digest.charCodeAt(i + 1) << 8) | digest.charCodeAt(i + 2);
    difference |= given.charCodeAt(at) ^ base64Code(bits >> 18);
    difference |= given.charCodeAt(at + 1) ^ base64Code(bits >> 12);
    difference |=
      given.charCodeAt(at + 2) ^ (i + 1 < digest.length ? base64Code(bits >> 6) : PADDING);
    difference |= given.charCodeAt(at + 3) ^ (i + 2 < digest.length ? base64Code(bits) : PADDING);
  }
  return difference === 0;
}

const base64Code = (sextet: number): number => base64Codes[sextet & 63] as number;
