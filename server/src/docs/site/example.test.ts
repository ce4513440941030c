import { beforeAll, expect, test, vi } from "vitest";
import type { z } from "zod";
import { renderOpenApi } from "../openapi.ts";
import type { OpenApiDocument, ParameterObject, Schema } from "./document.ts";
import { type Extent, exampleOf } from "./example.ts";
import { sampleOf } from "./pattern.ts";
import { type Operation, sectionsOf } from "./reference.ts";
import { sampleId } from "./shared/sample-id.ts";

interface Described {
  summary: string;
  body?: z.ZodType;
  params?: z.ZodType;
  data?: z.ZodType;
}

/** Every operation as its routes describe it, with the schemas that check real requests. */
const described = vi.hoisted((): Described[] => []);

vi.mock("../../http/openapi.ts", async (original) => {
  const actual = await original<typeof import("../../http/openapi.ts")>();
  const describe: typeof actual.describe = (description) => {
    described.push(description);
    return actual.describe(description);
  };
  return { ...actual, describe };
});

let document: OpenApiDocument;
let operations: Operation[];

beforeAll(async () => {
  document = JSON.parse(await renderOpenApi());
  operations = sectionsOf(document).flatMap((section) => section.operations);
});

function checkerOf(summary: string): Described {
  const found = described.filter((description) => description.summary === summary);
  expect(found.length, `operations called "${summary}"`).toBe(1);
  return found[0] ?? { summary };
}

/** The schema's own examples come first, so a body that fails here needs one: `.meta({ examples: […] })`. */
function expectValid(what: string, checker: z.ZodType | undefined, value: unknown): void {
  const result = checker?.safeParse(value);
  expect(result?.error?.issues ?? [], `the example of ${what}: ${JSON.stringify(value)}`).toEqual(
    [],
  );
  expect(result?.success).toBe(true);
}

test("every operation's example body is one that the API takes", () => {
  const withBody = operations.filter(({ body }) => body !== undefined);
  expect(withBody.length).toBeGreaterThan(0);
  for (const { summary, body = {} } of withBody) {
    expectValid(
      `${summary} (body)`,
      checkerOf(summary).body,
      exampleOf(document, body, "sendable"),
    );
  }
});

test("every operation's example path is one that the API takes", () => {
  for (const { summary, pathParameters } of operations.filter((o) => o.pathParameters.length > 0)) {
    const values = pathParameters.map(({ name, schema = {} }: ParameterObject) => [
      name,
      exampleOf(document, schema, "sendable"),
    ]);
    expectValid(`${summary} (path)`, checkerOf(summary).params, Object.fromEntries(values));
  }
});

test("every operation's recorded answer is one that the API could give", () => {
  for (const { summary, recorded } of operations) {
    expect(recorded, summary).toMatchObject({ responseCode: "000", requestId: sampleId("req") });
    const { data } = recorded as { data: unknown };
    expectValid(`${summary} (recorded)`, checkerOf(summary).data, data);
  }
});

test("every operation's example answer is one that the API could give", () => {
  for (const { summary, data = {} } of operations) {
    expectValid(
      `${summary} (data)`,
      checkerOf(summary).data,
      exampleOf(document, data, "complete"),
    );
  }
});

const empty: OpenApiDocument = { info: { title: "" } };

test.each<[string, Schema, Extent, unknown]>([
  ["its own example first", { type: "string", examples: ["x"], default: "y" }, "sendable", "x"],
  ["then its default", { type: "boolean", default: true }, "sendable", true],
  ["a constant", { const: "000" }, "sendable", "000"],
  ["the first of several values", { type: "string", enum: ["A", "B"] }, "sendable", "A"],
  ["an id", { type: "string", pattern: "^card_" }, "sendable", sampleId("card")],
  ["a date", { type: "string", format: "date" }, "sendable", "2026-01-31"],
  ["long enough", { type: "string", minLength: 6, maxLength: 6 }, "sendable", "textte"],
  ["short enough", { type: "string", maxLength: 2 }, "sendable", "te"],
  ["inside its bounds", { type: "integer", minimum: 5, maximum: 9 }, "sendable", 5],
  ["outside its bound", { type: "number", exclusiveMinimum: 3 }, "sendable", 4],
  [
    "the first that is not null",
    { anyOf: [{ type: "null" }, { type: "boolean" }] },
    "sendable",
    false,
  ],
  [
    "as many as there must be",
    { type: "array", items: { const: 1 }, minItems: 2 },
    "sendable",
    [1, 1],
  ],
  [
    "a map",
    { type: "object", additionalProperties: { type: "string" } },
    "complete",
    { key: "text" },
  ],
  [
    "needed fields, and those that come with an example",
    {
      type: "object",
      properties: {
        a: { const: 1 },
        b: { type: "string" },
        c: { type: "string", examples: ["x"] },
      },
      required: ["a"],
    },
    "sendable",
    { a: 1, c: "x" },
  ],
  [
    "every field where all are shown",
    { type: "object", properties: { a: { const: 1 }, b: { type: "string" } }, required: ["a"] },
    "complete",
    { a: 1, b: "text" },
  ],
])("%s", (_name, schema, extent, expected) => {
  expect(exampleOf(empty, schema, extent)).toEqual(expected);
});

test("a schema that holds itself comes to an end", () => {
  const Node: Schema = {
    type: "object",
    properties: { next: { $ref: "#/components/schemas/Node" } },
  };
  const recursive = { ...empty, components: { schemas: { Node } } };
  expect(exampleOf(recursive, { $ref: "#/components/schemas/Node" }, "complete")).toEqual({
    next: null,
  });
});

test.each([
  ["^\\d{4}$", 0],
  ["^[A-Z]{3}$", 0],
  ["^[A-Za-z0-9]{1,15}$", 0],
  ["^[\\x21-\\x7e]{1,30}$", 0],
  ["^cus_[0-9a-f]+$", 8],
  ["^a\\.b-c$", 0],
])("a sample of %s matches it", (pattern, minLength) => {
  const sample = sampleOf(pattern, minLength);
  expect(sample).toMatch(new RegExp(pattern));
  expect(sample?.length).toBeGreaterThanOrEqual(minLength);
});

test.each(["^(a|b)$", "(?=x)y", "^.*$"])("no sample is made up for %s", (pattern) => {
  expect(sampleOf(pattern)).toBeUndefined();
});
