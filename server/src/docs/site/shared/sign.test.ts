import { readFileSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { sign, verifySignature } from "../../../http/signature.ts";
import { base64Of, newReference, signText, textToSign } from "./sign.ts";

const vectors: {
  cases: {
    method: string;
    url: string;
    reference: string;
    clientId: string;
    clientSecret: string;
  }[];
} = JSON.parse(
  readFileSync(new URL("../../../http/signature.vectors.json", import.meta.url), "utf8"),
);

const signatureOf = async (parts: Parameters<typeof textToSign>[0]): Promise<string> =>
  (await signText(textToSign(parts))).signature;

test.each(vectors.cases.map((parts) => [parts.url, parts] as const))(
  "the page signs %s as the service does",
  async (_url, parts) => {
    const { method, url, reference, clientId, clientSecret } = parts;
    const signature = await signatureOf(parts);
    expect(signature).toBe(sign(method, url, reference, clientId, clientSecret));
    expect(verifySignature(signature, parts)).toBe(true);
  },
);

test("the page signs whatever is typed as the service does", async () => {
  const text = fc.string({ unit: "grapheme", maxLength: 40 });
  await fc.assert(
    fc.asyncProperty(text, text, text, text, async (path, reference, clientId, clientSecret) => {
      const url = `https://api.florin.example/api/v1/${path}`;
      const parts = { method: "patch", url, reference, clientId, clientSecret };
      expect(await signatureOf(parts)).toBe(sign("PATCH", url, reference, clientId, clientSecret));
    }),
  );
});

test("Base64 is that of the text's UTF-8 bytes", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), (text) => {
      expect(base64Of(text)).toBe(Buffer.from(text).toString("base64"));
    }),
  );
});

test("a new Reference is one that the service takes, and new", () => {
  const made = Array.from({ length: 100 }, newReference);
  expect(made.every((reference) => /^[\x21-\x7e]{1,30}$/.test(reference))).toBe(true);
  expect(new Set(made).size).toBe(made.length);
});
