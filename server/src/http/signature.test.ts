import * as crypto from "node:crypto";
import { readFileSync } from "node:fs";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { sign, verifySignature } from "./signature.ts";

vi.mock("node:crypto", async (original) => {
  const actual = await original<typeof import("node:crypto")>();
  return { ...actual, hash: vi.fn(actual.hash) };
});

type Case = {
  method: string;
  url: string;
  reference: string;
  clientId: string;
  clientSecret: string;
  answers: { encoders: string[]; encoded: string; signature: string }[];
};

// The encodings and signatures were produced by the languages themselves, not by our code.
const vectors: { producedBy: Record<string, string>; cases: Case[] } = JSON.parse(
  readFileSync(new URL("./signature.vectors.json", import.meta.url), "utf8"),
);

const parts = {
  method: "POST",
  url: "https://api.florin.example/api/v1/cards/card_01/top-up?note=O'Brien~(Jr.)*!",
  reference: "aB3dE6gH9jK2mN5pQ8sT",
  clientId: "client-7f3a",
  clientSecret: "s3cr3t-0fQ9",
};

const sha1 = (text: string) => crypto.createHash("sha1").update(text, "utf8").digest();
const base64OfHex = (text: string) =>
  Buffer.from(sha1(text).toString("hex"), "latin1").toString("base64");
const textWith = (encodedUrl: string, change: Partial<typeof parts> = {}) => {
  const { method, reference, clientId, clientSecret } = { ...parts, ...change };
  return `${method}&${encodedUrl}&${reference}&${clientId}&${clientSecret}`;
};
const canonical = encodeURIComponent(parts.url);

beforeEach(() => {
  vi.mocked(crypto.hash).mockClear();
});

describe("golden vectors", () => {
  test("cover every encoder for every URL", () => {
    for (const { answers } of vectors.cases) {
      expect(answers.flatMap(({ encoders }) => encoders).sort()).toEqual(
        Object.keys(vectors.producedBy).sort(),
      );
    }
  });

  test.each(
    vectors.cases.flatMap(({ answers, ...signed }) =>
      answers.map((answer) => [answer.encoders.join(", "), signed.url, signed, answer] as const),
    ),
  )("%s of %s is accepted", (_encoders, _url, signed, { signature }) => {
    expect(verifySignature(signature, signed)).toBe(true);
  });

  test.each(vectors.cases)("sign is the JavaScript answer for $url", ({ answers, ...signed }) => {
    const { method, url, reference, clientId, clientSecret } = signed;
    const answer = answers.find(({ encoders }) =>
      encoders.includes("JavaScript encodeURIComponent"),
    );
    expect(sign(method.toLowerCase(), url, reference, clientId, clientSecret)).toBe(
      answer?.signature,
    );
  });

  test.each(vectors.cases)("$url costs no superfluous digest", ({ answers, ...signed }) => {
    const { method, url, reference, clientId, clientSecret } = signed;
    const good = sign(method, url, reference, clientId, clientSecret);
    vi.mocked(crypto.hash).mockClear();
    verifySignature(good, signed);
    expect(crypto.hash).toHaveBeenCalledTimes(1);
    vi.mocked(crypto.hash).mockClear();
    verifySignature(good.replace(/^./, "!"), signed);
    expect(crypto.hash).toHaveBeenCalledTimes(answers.length);
  });
});

const rfc3986 = canonical.replace(
  /[!'()*]/g,
  (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`,
);

test.each([
  ["the URL encoded twice", base64OfHex(textWith(encodeURIComponent(canonical)))],
  ["the URL not encoded", base64OfHex(textWith(parts.url))],
  ["the URL encoded by encodeURI", base64OfHex(textWith(encodeURI(parts.url)))],
  ["slashes kept, as Python quote does", base64OfHex(textWith(rfc3986.replaceAll("%2F", "/")))],
  ["another safe set: only the apostrophe escaped", safeSet("!~*()")],
  ["another safe set: ~ and * kept", safeSet("~*")],
  ["another safe set: all but * kept", safeSet("!~'()")],
  ["lower-case escapes of encodeURIComponent", base64OfHex(textWith(lowerCase(canonical)))],
  ["lower-case escapes of RFC 3986", base64OfHex(textWith(lowerCase(rfc3986)))],
  ["escapes of mixed case", base64OfHex(textWith(canonical.replace("%3A", "%3a")))],
  ["a method in lower case", base64OfHex(textWith(canonical, { method: "post" }))],
  ["another method", base64OfHex(textWith(canonical, { method: "PUT" }))],
  ["no method", base64OfHex(textWith(canonical).replace("POST&", ""))],
  ["another reference", base64OfHex(textWith(canonical, { reference: "other" }))],
  ["another client", base64OfHex(textWith(canonical, { clientId: "client-0000" }))],
  ["another secret", base64OfHex(textWith(canonical, { clientSecret: "s3cr3t-0fQ8" }))],
  ["another query", base64OfHex(textWith(`${canonical}%26a%3D1`))],
  ["no query", base64OfHex(textWith(canonical.replace(/%3F.*/, "")))],
  ["hexadecimal without base64", sha1(textWith(canonical)).toString("hex")],
  ["base64 of the raw digest", sha1(textWith(canonical)).toString("base64")],
  ["base64 of upper-case hexadecimal", upperCaseHex()],
  ["a trailing line feed", `${base64OfHex(textWith(canonical))}\n`],
  ["a leading space", ` ${base64OfHex(textWith(canonical))}`],
  ["no padding", base64OfHex(textWith(canonical)).slice(0, -2)],
  ["spaces for padding", `${base64OfHex(textWith(canonical)).slice(0, -2)}  `],
  ["one character short", base64OfHex(textWith(canonical)).slice(1)],
  ["a look-alike 256 code points away", lookAlike()],
  ["nothing", ""],
])("%s is refused", (_what, given) => {
  expect(verifySignature(given, parts)).toBe(false);
});

test.each([
  ["a space", "a b", "a%20b"],
  ["a raw non-ASCII character", "é", "%C3%A9"],
  ["a lone surrogate", "\ud800", "%EF%BF%BD"],
  ["a line feed", "\n", "%0A"],
])("a URL with %s, which no request line carries, is refused", (_what, url, encoded) => {
  expect(verifySignature(base64OfHex(textWith(encoded)), { ...parts, url })).toBe(false);
});

function safeSet(kept: string): string {
  const encoded = rfc3986.replace(/%(?:21|27|28|29|2A)|~/g, (escaped) => {
    const character = decodeURIComponent(escaped);
    return kept.includes(character) ? character : escaped.replace("~", "%7E");
  });
  return base64OfHex(textWith(encoded));
}

function lowerCase(encoded: string): string {
  return encoded.replace(/%../g, (escaped) => escaped.toLowerCase());
}

function upperCaseHex(): string {
  return Buffer.from(sha1(textWith(canonical)).toString("hex").toUpperCase()).toString("base64");
}

function lookAlike(): string {
  const good = base64OfHex(textWith(canonical));
  return String.fromCharCode(good.charCodeAt(0) + 256) + good.slice(1);
}
