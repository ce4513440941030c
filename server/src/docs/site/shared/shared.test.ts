import { execFileSync } from "node:child_process";
import fc from "fast-check";
import { expect, test } from "vitest";
import { curlCommand, quote } from "./curl.ts";
import { type Language, tokensOf } from "./highlight.ts";
import { mask } from "./mask.ts";
import { fillSamples, idsIn, sampleId } from "./sample-id.ts";

test("a command says what was sent", () => {
  const headers = { Reference: "r1", "Content-Type": "application/json" };
  const body = `{"note":"it's"}`;
  expect(curlCommand({ method: "POST", url: "http://127.0.0.1:4000/x?a=[1]", headers, body })).toBe(
    [
      "curl --globoff -X POST 'http://127.0.0.1:4000/x?a=[1]' \\",
      "  -H 'Reference: r1' \\",
      "  -H 'Content-Type: application/json' \\",
      `  --data-raw '{"note":"it'\\''s"}'`,
    ].join("\n"),
  );
});

test("a shell reads back what was quoted", () => {
  const texts = ["plain", "it's", "''", '$HOME `id` \\ "!" *', "two\nlines", "ü 😀"];
  const printed = execFileSync("sh", ["-c", `printf '%s\\0' ${texts.map(quote).join(" ")}`]);
  expect(printed.toString().split("\0").slice(0, -1)).toEqual(texts);
});

test("secrets are hidden wherever they stand, and nothing else is", () => {
  expect(mask("a&secret&b secret", ["secret", ""])).toBe("a&••••••••&b ••••••••");
});

test.each<Language>(["json", "bash", "javascript", "python", "text"])(
  "coloured %s is still the same code",
  (language) => {
    const code = fc.string({ unit: fc.constantFrom(..."ab1.\"'`#/\\\n {}:,$-true") });
    fc.assert(
      fc.property(code, (text) => {
        const tokens = tokensOf(text, language);
        expect(tokens.map((token) => token.text).join("")).toBe(text);
      }),
    );
  },
);

test.each<[Language, string, string[]]>([
  [
    "json",
    '{ "a": "b:", "c": -1.5, "d": null }',
    ['key "a"', 'string "b:"', 'key "c"', "number -1.5", 'key "d"', "keyword null"],
  ],
  ["bash", "curl -s '#no' # yes", ["keyword curl", "string '#no'", "comment # yes"]],
  ["javascript", 'const a = "x"; // y', ["keyword const", 'string "x"', "comment // y"]],
  ["python", 'ok = True  # "x"', ["keyword True", 'comment # "x"']],
])("%s: %s", (language, code, expected) => {
  const coloured = tokensOf(code, language).filter(({ kind }) => kind !== undefined);
  expect(coloured.map(({ kind, text }) => `${kind} ${text}`)).toEqual(expected);
});

test("ids of an answer take the place of examples of their kind", () => {
  const card = "card_01kd0000000000000000000001";
  const older = "card_01kd0000000000000000000000";
  const answer = `{"requestId":"${sampleId("req")}","data":[{"cardId":"${card}"},{"cardId":"${older}"}]}`;
  const known = idsIn(answer);
  expect(known).toEqual({ card });
  const body = `{"cardId":"${sampleId("card")}","customerId":"${sampleId("cus")}"}`;
  expect(fillSamples(body, known)).toBe(`{"cardId":"${card}","customerId":"${sampleId("cus")}"}`);
});
