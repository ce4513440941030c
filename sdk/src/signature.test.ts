import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { sign } from "./signature.ts";

interface Case {
  method: string;
  url: string;
  reference: string;
  clientId: string;
  clientSecret: string;
  answers: { encoders: string[]; signature: string }[];
}

const vectors = new URL("../../server/src/http/signature.vectors.json", import.meta.url);
const { cases } = JSON.parse(readFileSync(vectors, "utf8")) as { cases: Case[] };

test.each(cases)(
  "$method $url is signed as the service expects it",
  async ({ answers, ...signed }) => {
    const expected = answers.find(({ encoders }) =>
      encoders.includes("JavaScript encodeURIComponent"),
    );
    expect(await sign(signed)).toBe(expected?.signature);
  },
);
