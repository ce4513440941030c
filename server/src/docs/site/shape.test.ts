import { expect, test } from "vitest";
import type { OpenApiDocument, Schema } from "./document.ts";
import { type Shape, shapeOf } from "./shape.ts";

const document: OpenApiDocument = {
  info: { title: "" },
  components: {
    schemas: {
      Card: { type: "object", properties: { cardId: { type: "string", pattern: "^card_" } } },
      CardInput: { type: "object", properties: {} },
    },
  },
};
const card: Schema = { $ref: "#/components/schemas/Card" };

test.each<[string, Schema, Partial<Shape>]>([
  ["a component by its name", card, { type: "Card" }],
  [
    "a component in its form for requests too",
    { $ref: "#/components/schemas/CardInput" },
    { type: "Card" },
  ],
  [
    "a list",
    { type: "array", items: card, maxItems: 5 },
    { type: "array of Card", notes: ["at most 5 items"] },
  ],
  ["something or nothing", { anyOf: [card, { type: "null" }] }, { type: "Card or null" }],
  ["a type or nothing", { type: ["string", "null"] }, { type: "string or null" }],
  [
    "a map",
    { type: "object", additionalProperties: { type: "string" } },
    { type: "map of string" },
  ],
  ["values", { type: "string", enum: ["A", "B"] }, { type: "string", values: ["A", "B"] }],
  ["a constant", { const: "000" }, { type: "string", values: ["000"] }],
  [
    "alternatives",
    { anyOf: [{ type: "string" }, { type: "integer" }] },
    { type: "string or integer" },
  ],
  ["a format", { type: "string", format: "date", pattern: "^x$" }, { notes: ["YYYY-MM-DD"] }],
  ["an id", { type: "string", pattern: "^card_" }, { notes: ["starts with card_"] }],
  ["a pattern", { type: "string", pattern: "^x$" }, { notes: ["matches ^x$"] }],
  [
    "ordinary text",
    { type: "string", pattern: "^[^\\u0000-\\u001f]*$", maxLength: 9 },
    { notes: ["at most 9 characters"] },
  ],
  ["an exact length", { type: "string", minLength: 4, maxLength: 4 }, { notes: ["4 characters"] }],
  [
    "bounds",
    { type: "integer", minimum: 1, maximum: 1000, default: 5 },
    { notes: ["1 to 1,000", "default 5"] },
  ],
  ["an open bound", { type: "number", exclusiveMinimum: 0 }, { notes: ["more than 0"] }],
  [
    "no bounds but the language's",
    { type: "integer", minimum: -9007199254740991, maximum: 9007199254740991 },
    { notes: [] },
  ],
])("%s", (_name, schema, expected) => {
  expect(shapeOf(document, schema)).toMatchObject(expected);
});

test("fields say whether they are needed, and hold their own fields", () => {
  const schema: Schema = {
    type: "object",
    properties: { card, note: { type: "string", description: "Yours" } },
    required: ["card"],
  };
  const { fields } = shapeOf(document, schema);
  expect(fields).toMatchObject([
    { name: "card", isRequired: true, fields: [{ name: "cardId", isRequired: false }] },
    { name: "note", isRequired: false, description: "Yours" },
  ]);
});

test("an object that may take several forms shows each", () => {
  const form = (name: string): Schema => ({
    type: "object",
    properties: { [name]: { type: "string" } },
  });
  const { fields, variants } = shapeOf(document, { anyOf: [form("mid"), form("mids")] });
  expect(fields).toEqual([]);
  expect(variants.map((variant) => variant.map(({ name }) => name))).toEqual([["mid"], ["mids"]]);
});
