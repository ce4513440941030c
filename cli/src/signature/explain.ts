import { createHash } from "node:crypto";
import { acceptedEncodings, mistakenEncodings } from "./encodings.ts";
import { digestHex, type Signed, textToSign } from "./signature.ts";

export interface Explanation {
  isGood: boolean;
  /** What fits, or what is wrong, in whole sentences. */
  findings: string[];
}

const BASE64_OF_HEX = /^[A-Za-z0-9+/]{54}==?$|^[A-Za-z0-9+/]{56}$/;

/** Says what a signature was made of, by making it again in the ways in which clients go wrong. */
export function explainSignature(given: string, right: Signed): Explanation {
  const accepted = acceptedEncodings.find(({ encode }) => made(given, right, encode) === "asIs");
  if (accepted !== undefined) {
    return { isGood: true, findings: [`It is right. The URL is encoded as by ${accepted.name}.`] };
  }
  for (const [finding, parts] of mistakes(right)) {
    for (const { name, encode } of [...acceptedEncodings, ...mistakenEncodings]) {
      const form = made(given, parts, encode);
      if (form === undefined) continue;
      const isMistaken = mistakenEncodings.some((mistake) => mistake.name === name);
      const findings = [finding, isMistaken ? `${capital(name)}.` : "", FORMS[form]];
      return { isGood: false, findings: findings.filter((text) => text !== "") };
    }
  }
  return { isGood: false, findings: [shapeOf(given), NOTHING_FITS].filter((text) => text !== "") };
}

const NOTHING_FITS =
  "None of the usual mistakes makes this value. Then the clientSecret, the clientId, the Reference or the URL " +
  "is another one than you think: print the text that you digest, and compare it with the one below.";

const FORMS = {
  asIs: "",
  digestBytes:
    "The digest itself was encoded in Base64; it must become lower-case hexadecimal text first.",
  hexOnly: "It is the hexadecimal digest; that text must be encoded in Base64.",
  upperHex: "The hexadecimal digest is in upper case; it must be in lower case.",
  sha256: "SHA-256 was used; it must be SHA-1.",
  base64Url: "It is in the URL-safe Base64 alphabet, or without padding; it must be plain Base64.",
} as const;

/** How `given` comes from the text of these parts, if it does. */
function made(
  given: string,
  parts: Signed,
  encode: (url: string) => string,
): keyof typeof FORMS | undefined {
  const text = textToSign(parts, encode);
  const hex = digestHex(text);
  const base64 = (value: string | Buffer): string => Buffer.from(value).toString("base64");
  const forms: Record<keyof typeof FORMS, string[]> = {
    asIs: [base64(hex)],
    digestBytes: [base64(Buffer.from(hex, "hex"))],
    hexOnly: [hex, hex.toUpperCase()],
    upperHex: [base64(hex.toUpperCase())],
    sha256: sha256Forms(text),
    base64Url: [Buffer.from(hex).toString("base64url"), base64(hex).replace(/=+$/, "")],
  };
  const found = Object.entries(forms).find(([, values]) => values.includes(given));
  return found?.[0] as keyof typeof FORMS | undefined;
}

function sha256Forms(text: string): string[] {
  const hex = createHash("sha256").update(text).digest("hex");
  return [hex, Buffer.from(hex).toString("base64"), Buffer.from(hex, "hex").toString("base64")];
}

type Mistake = readonly [finding: string, parts: Signed];

/** The same request with one thing wrong. The first is the right one: then only its form is wrong. */
function mistakes(right: Signed): Mistake[] {
  const other = (change: Partial<Signed>): Signed => ({ ...right, ...change });
  return [
    ["", right],
    [
      "The method was signed in lower case; it must be in upper case.",
      other({ method: right.method.toLowerCase() }),
    ],
    ...METHODS.filter((method) => method !== right.method).map(
      (method): Mistake => [
        `${method} was signed, but ${right.method} is sent.`,
        other({ method }),
      ],
    ),
    ...wrongUrls(right.url).map(([finding, url]): Mistake => [finding, other({ url })]),
    ["The clientSecret was left empty.", other({ clientSecret: "" })],
    [
      "The clientSecret has blanks or a line break around it.",
      other({ clientSecret: `${right.clientSecret}\n` }),
    ],
    [
      "clientId and clientSecret were swapped.",
      other({ clientId: right.clientSecret, clientSecret: right.clientId }),
    ],
    ["The Reference was left empty.", other({ reference: "" })],
  ];
}

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"];

/** The addresses that are signed by mistake for this one. */
function wrongUrls(text: string): (readonly [string, string])[] {
  const url = new URL(text);
  const path = `${url.pathname}${url.search}`;
  const base = `${url.origin}${url.pathname}`;
  const list: (readonly [string, string])[] = [
    ["Only the path was signed; it must be the whole address.", path],
    [
      "Only the path without /api/v1 was signed; it must be the whole address.",
      path.replace("/api/v1", ""),
    ],
    ["The address was signed without /api/v1.", text.replace("/api/v1", "")],
    [
      "The address was signed with a slash at its end, but is sent without.",
      `${base}/${url.search}`,
    ],
    [
      "The address was signed without the slash at its end, but is sent with it.",
      `${url.origin}${url.pathname.replace(/\/+$/, "")}${url.search}`,
    ],
    ["The address was signed with https, but is sent with http.", text.replace(/^http:/, "https:")],
    ["The address was signed with http, but is sent with https.", text.replace(/^https:/, "http:")],
    [
      "localhost was signed; the service's own address is 127.0.0.1.",
      text.replace("127.0.0.1", "localhost"),
    ],
    [
      "127.0.0.1 was signed; the service's own address is localhost.",
      text.replace("localhost", "127.0.0.1"),
    ],
    ["The address was signed without its port.", text.replace(/:\d+/, "")],
    ["The address was signed with its escapes already decoded.", decoded(text)],
  ];
  if (url.search !== "") {
    list.push(["The query was left out; it is signed as well.", base]);
    const pairs = [...url.searchParams].sort(([a], [b]) => (a < b ? -1 : 1));
    const sorted = `${base}?${new URLSearchParams(pairs)}`;
    list.push(["The query was sorted or encoded anew; it must be signed as it is sent.", sorted]);
    list.push(["Spaces were signed as +, but are sent as %20.", text.replaceAll("%20", "+")]);
    list.push(["Spaces were signed as %20, but are sent as +.", text.replaceAll("+", "%20")]);
  }
  return list.filter(([, wrong]) => wrong !== text);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function shapeOf(given: string): string {
  if (BASE64_OF_HEX.test(given)) {
    const hex = Buffer.from(given, "base64").toString("latin1");
    if (/^[0-9a-f]{40}$/.test(hex))
      return "It has the right form: Base64 of a SHA-1 digest in hexadecimal.";
  }
  return "It does not have the form of a signature: 56 characters, Base64 of 40 hexadecimal digits.";
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
