import fc from "fast-check";
import { expect, test } from "vitest";
import { Failure } from "./failure.ts";
import { parseStrictJson } from "./strict-json.ts";

function refusalOf(text: string, limits?: { maxDepth?: number }): Failure {
  try {
    parseStrictJson(text, limits);
  } catch (error) {
    if (error instanceof Failure) return error;
    throw error;
  }
  throw new Error("not refused");
}

test.each([
  "null",
  " \t\r\n true ",
  "false",
  '""',
  '"a\\"b\\\\"',
  '"\\u0000"',
  '"\\ud800"', // A lone surrogate is JSON, and for the schema to judge.
  "[]",
  "[ ]",
  "{}",
  "{ }",
  "[1, [2, {}], []]",
  '{"a":{"a":1},"b":[{"a":2},{"a":3}]}', // The same key in different objects.
  '{"a":1,"A":2," a":3,"":4}',
  '{"constructor":1,"proto":2,"a":"__proto__"}',
  '{ "a" : "}" , "b" : "[,:" }',
])("reads %s as JSON.parse does", (text) => {
  expect(parseStrictJson(text)).toEqual(JSON.parse(text));
});

test.each([
  ["", /empty/],
  [" \n", /empty/],
  ["{", /ends too early, at position 1$/],
  ['{"a"', /ends too early, at position 4$/],
  ['{"a":', /ends too early, at position 5$/],
  ['{"a":1,', /ends too early, at position 7$/],
  ["[1", /ends too early, at position 2$/],
  ['"abc', /ends too early, at position 4$/],
  ['"abc\\"', /ends too early, at position 6$/],
  ["-", /ends too early, at position 1$/],
  ["1e", /ends too early, at position 2$/],
  ["tru", /not valid JSON at position 0$/],
  ["\ufeff{}", /not valid JSON at position 0$/],
  ["\u00a01", /not valid JSON at position 0$/],
  ["{} {}", /not valid JSON at position 3$/],
  ["1 2", /not valid JSON at position 2$/],
  ["01", /not valid JSON at position 1$/],
  ["1.", /ends too early, at position 2$/],
  [".5", /not valid JSON at position 0$/],
  ["+1", /not valid JSON at position 0$/],
  ["0x10", /not valid JSON at position 1$/],
  ["NaN", /not valid JSON at position 0$/],
  ["[1,]", /not valid JSON at position 3$/],
  ["[1 2]", /not valid JSON at position 3$/],
  ["[1}", /not valid JSON at position 2$/],
  ['{"a":1,}', /not valid JSON at position 7$/],
  ['{"a" 1}', /not valid JSON at position 5$/],
  ["{a:1}", /not valid JSON at position 1$/],
  ["{'a':1}", /not valid JSON at position 1$/],
  ["// x\n1", /not valid JSON at position 0$/],
  ['["a", "b\\x"]', /not valid JSON at position 6$/],
  ['["\\\\", "b\nc"]', /not valid JSON at position 7$/],
  ['["\\"\\u12g4"]', /not valid JSON at position 1$/],
  ['{"\\q":1}', /not valid JSON at position 1$/],
])("%j is not JSON: %s", (text, message) => {
  const failure = refusalOf(text);
  expect(failure.codeName).toBe("INVALID_REQUEST");
  expect(failure.message).toMatch(message);
  expect(failure.fields).toEqual([{ field: "body", message: failure.message }]);
});

test.each([
  ['{"a":1,"a":1}', "a", 7],
  ['{"a":1,"b":{},"a":2}', "a", 14],
  ['{"a":1,"\\u0061":2}', "a", 7],
  ['{"x":[{"amount":1, "amount":2}]}', "amount", 19],
  ['{"":1,"":2}', "", 6],
  ['{"\\"":1,"\\u0022":2}', '"', 8],
])("%s gives the key %j twice", (text, key, position) => {
  const failure = refusalOf(text);
  expect(failure.codeName).toBe("INVALID_REQUEST");
  expect(failure.message).toContain(`${JSON.stringify(key)} is given twice`);
  expect(failure.message).toContain(`position ${position}`);
  expect(failure.fields).toMatchObject([{ field: key }]);
});

test.each(['{"__proto__":1}', '{"a":{"__proto__":{}}}', '{"\\u005f_proto__":1}'])(
  "%s may not name the prototype",
  (text) => {
    expect(refusalOf(text)).toMatchObject({
      codeName: "INVALID_REQUEST",
      fields: [{ field: "__proto__" }],
    });
  },
);

test("nesting is bounded, however long the text goes on", () => {
  const nested = (depth: number) => "[".repeat(depth) + "]".repeat(depth);
  expect(parseStrictJson(nested(32))).toEqual(JSON.parse(nested(32)));
  expect(parseStrictJson(`{"a":${nested(31)}}`)).toEqual(JSON.parse(`{"a":${nested(31)}}`));
  expect(refusalOf(nested(33)).message).toMatch(/nested too deeply at position 32$/);
  expect(refusalOf(`{"a":${nested(32)}}`).message).toMatch(/nested too deeply/);
  expect(refusalOf('{"a":'.repeat(1_000_000)).message).toMatch(/nested too deeply/);
  expect(refusalOf(nested(3), { maxDepth: 2 }).codeName).toBe("INVALID_REQUEST");
  expect(parseStrictJson(nested(40), { maxDepth: 40 })).toEqual(JSON.parse(nested(40)));
});

test.each([
  "1.0",
  "1.50",
  "1e2",
  "1E+2",
  "0.1",
  "-0",
  "-0.0e400",
  "0e400",
  "25.500000000000000000000",
  "9007199254740992",
  "10000000000000000000000",
  "1.7976931348623157e308",
  "5e-324",
  "123456789012345",
  "-1234567890.1234",
])("%s is held exactly", (text) => {
  expect(parseStrictJson(`[${text}]`)).toEqual([Number(text)]);
});

test.each([
  "25.5000000000000000001",
  "12345678901234567890",
  "9007199254740993",
  "0.1000000000000000055511151231257827", // What 0.1 really is, but not what was written.
  "1e400",
  "-1e400",
  "1e-400",
  "3e-324",
  "1e99999999999999999999",
  `1${"0".repeat(400)}`,
])("%s would be rounded", (text) => {
  const failure = refusalOf(`{"amount": ${text}}`);
  expect(failure.codeName).toBe("INVALID_REQUEST_AMOUNT");
  expect(failure.message).toMatch(/^The number at position 11 .*exactly$/);
});

test.each(['{"pan":"4111111111111111","x"}', '["4111111111111111\n"]', "4111111111111111999"])(
  "the refusal of %j does not repeat the value",
  (text) => {
    expect(JSON.stringify(refusalOf(text))).not.toContain("4111111111111111");
    expect(refusalOf(text).message).not.toContain("4111111111111111");
  },
);

test("a very long key is cut in the message", () => {
  const key = "k".repeat(10_000);
  expect(refusalOf(`{"${key}":1,"${key}":2}`).message.length).toBeLessThan(200);
});

test.each([
  ["members", () => `{${Array.from({ length: 100_000 }, (_, n) => `"${n}":0`).join(",")}}`],
  ["empty objects", () => `[${"{},".repeat(200_000)}{}]`],
  ["arrays in arrays", () => `[${"[[0,0]],".repeat(100_000)}0]`],
])("a long text of very many %s is refused", (_what, write) => {
  expect(refusalOf(write()).message).toBe("The body holds too many values");
});

test("an object has at most 500 members, wherever it stands", () => {
  const write = (count: number): string =>
    `[{"a":{${Array.from({ length: count }, (_, n) => `"${n}":0`).join(",")}}}]`;
  expect(refusalOf(write(501)).message).toBe("The body holds an object of too many members");
  expect(parseStrictJson(write(500))).toHaveLength(1);
});

test("a long text of few long strings, and a short one of many values, pass", () => {
  const image = "A".repeat(9 * 1024 * 1024);
  expect(parseStrictJson(`{"image":"data:image/png;base64,${image}"}`)).toEqual({
    image: `data:image/png;base64,${image}`,
  });
  expect(parseStrictJson(`[${"0,".repeat(100_000)}0]`)).toHaveLength(100_001);
});

const jsonTexts = fc
  .tuple(fc.jsonValue({ maxDepth: 6 }), fc.constantFrom("", " ", "\t", "\n  "))
  .map(([value, indent]) => JSON.stringify(value, null, indent))
  .filter((text) => !text.includes("__proto__"));

test("every JSON value survives", () => {
  fc.assert(
    fc.property(jsonTexts, (text) => {
      expect(parseStrictJson(text)).toEqual(JSON.parse(text));
    }),
  );
});

test("a damaged text is refused whenever JSON.parse refuses it, and never misread", () => {
  const damage = fc.constantFrom(...'{}[]",:\\0123456789.eE+-tn u\n\u0001');
  fc.assert(
    fc.property(jsonTexts, fc.nat(), fc.nat(2), damage, (text, where, cut, character) => {
      const at = where % (text.length + 1);
      const damaged = text.slice(0, at) + character + text.slice(at + cut);
      let strict: unknown;
      try {
        strict = parseStrictJson(damaged);
      } catch (error) {
        expect(error).toBeInstanceOf(Failure);
        if (/not valid JSON|is empty/.test(String(error))) {
          expect(() => JSON.parse(damaged)).toThrow(SyntaxError);
        }
        return;
      }
      expect(strict).toEqual(JSON.parse(damaged));
    }),
    { numRuns: 1000 },
  );
});
