import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { verifySignature } from "../../../server/src/http/signature.ts";
import { acceptedEncodings } from "./encodings.ts";
import { explainSignature } from "./explain.ts";
import { digestHex, type Signed, sign, textToSign } from "./signature.ts";

const right: Signed = {
  method: "GET",
  url: "http://127.0.0.1:4000/api/v1/cards?status=Active&limit=5&name=Ada%20Obi",
  reference: "ref-1",
  clientId: "cli_1",
  clientSecret: "top-secret",
};

const wrong = (change: Partial<Signed>): string => sign({ ...right, ...change });
const base64 = (value: string | Buffer): string => Buffer.from(value).toString("base64");
const text = textToSign(right);

test.each([
  ["lower-case method", wrong({ method: "get" }), /method was signed in lower case/],
  ["another method", wrong({ method: "POST" }), /POST was signed, but GET is sent/],
  [
    "path only",
    wrong({ url: "/api/v1/cards?status=Active&limit=5&name=Ada%20Obi" }),
    /Only the path was signed/,
  ],
  ["no query", wrong({ url: "http://127.0.0.1:4000/api/v1/cards" }), /query was left out/],
  [
    "localhost",
    wrong({ url: right.url.replace("127.0.0.1", "localhost") }),
    /localhost was signed/,
  ],
  ["no port", wrong({ url: right.url.replace(":4000", "") }), /without its port/],
  ["https", wrong({ url: right.url.replace("http:", "https:") }), /signed with https/],
  [
    "trailing slash",
    wrong({ url: right.url.replace("cards?", "cards/?") }),
    /with a slash at its end/,
  ],
  [
    "sorted query",
    wrong({ url: "http://127.0.0.1:4000/api/v1/cards?limit=5&name=Ada+Obi&status=Active" }),
    /sorted or encoded anew/,
  ],
  ["decoded", wrong({ url: decodeURIComponent(right.url) }), /escapes already decoded/],
  ["plus for a space", wrong({ url: right.url.replace("%20", "+") }), /signed as \+/],
  ["no secret", wrong({ clientSecret: "" }), /clientSecret was left empty/],
  ["line break", wrong({ clientSecret: "top-secret\n" }), /line break/],
  ["swapped", wrong({ clientId: right.clientSecret, clientSecret: right.clientId }), /swapped/],
  ["not encoded", base64(digestHex(textToSign(right, (url) => url))), /URL was not encoded/],
  [
    "encoded twice",
    base64(digestHex(textToSign(right, (url) => encodeURIComponent(encodeURIComponent(url))))),
    /encoded twice/,
  ],
  ["digest bytes", base64(Buffer.from(digestHex(text), "hex")), /hexadecimal text first/],
  ["hex only", digestHex(text), /must be encoded in Base64/],
  ["upper-case hex", base64(digestHex(text).toUpperCase()), /upper case; it must be in lower/],
  ["SHA-256", createHash("sha256").update(text).digest("base64"), /must be SHA-1/],
  ["another secret", wrong({ clientSecret: "other" }), /None of the usual mistakes/],
  ["no signature", "nonsense", /does not have the form/],
])("%s is recognized", (_what, given, expected) => {
  const { isGood, findings } = explainSignature(given, right);
  expect(isGood).toBe(false);
  expect(findings.join("\n")).toMatch(expected);
  expect(findings.join("\n")).not.toContain(right.clientSecret);
});

test("it agrees with the service on what is good, whatever the URL, encoder and client", () => {
  const character = fc.constantFrom(..."abc/?&=%20!'()*~+:;,-_.");
  const path = fc.string({ unit: character, maxLength: 30 });
  fc.assert(
    fc.property(path, fc.nat(acceptedEncodings.length - 1), (end, index) => {
      const signed = { ...right, url: `http://127.0.0.1:4000/api/v1/${end}` };
      const encode = acceptedEncodings[index]?.encode ?? encodeURIComponent;
      const given = base64(digestHex(textToSign(signed, encode)));
      expect(verifySignature(given, signed)).toBe(true);
      expect(explainSignature(given, signed).isGood).toBe(true);
    }),
  );
});

const vectors: { cases: (Signed & { answers: { signature: string }[] })[] } = JSON.parse(
  readFileSync(new URL("../../../server/src/http/signature.vectors.json", import.meta.url), "utf8"),
);

test.each(vectors.cases)("every language's signature of $url is good", ({ answers, ...signed }) => {
  expect(answers.length).toBeGreaterThan(0);
  for (const { signature } of answers) {
    expect(explainSignature(signature, signed).isGood).toBe(true);
  }
});
