import { expect, test } from "vitest";
import { z } from "zod";
import { wordsFor } from "./words.ts";

const told = (schema: z.ZodType, input: unknown): string[] =>
  schema.safeParse(input, { error: wordsFor }).error?.issues.map(({ message }) => message) ?? [];

const kinds = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("A") }),
  z.object({ kind: z.literal("B") }),
]);

test.each<[string, z.ZodType, unknown]>([
  ["is required", z.string(), undefined],
  ["is required", z.enum(["A", "B"]), undefined],
  ["must be a string", z.string(), 5],
  ["must be a number", z.number(), "5"],
  ["must be a number", z.number(), null],
  ["must be a whole number", z.int(), 1.5],
  ["must be true or false", z.boolean(), "true"],
  ["must be a list", z.array(z.string()), {}],
  ["must be an object", z.object({}), []],
  ["must be one of A, B", z.enum(["A", "B"]), "C"],
  ["must be A", z.literal("A"), "B"],
  ["must be at most 12", z.number().max(12), 13],
  ["must be at least 1", z.number().min(1), 0],
  ["must be more than 0", z.number().gt(0), 0],
  ["must be less than 5", z.number().lt(5), 5],
  ["must be at most 3 characters", z.string().max(3), "four"],
  ["must be at least 3 characters", z.string().min(3), "12"],
  ["must not be empty", z.string().min(1), ""],
  ["must have at most 1 entries", z.array(z.string()).max(1), ["a", "b"]],
  ["must be an e-mail address", z.email(), "ada"],
  ["must be a time such as 2026-01-31T12:00:00.000Z", z.iso.datetime(), "today"],
  ["has the wrong form", z.string().regex(/^a$/), "b"],
  ["has the wrong form", z.union([z.string(), z.number()]), true],
  ["is required", kinds, {}],
  ["must be one of A, B", kinds, { kind: "C" }],
  [
    "is a key that must be at most 3 characters",
    z.record(z.string().max(3), z.string()),
    { four: "" },
  ],
])("%s", (message, schema, input) => {
  expect(told(schema, input)).toEqual([message]);
});

test("a schema's own words come first", () => {
  expect(told(z.string().regex(/^a$/, "must be an a"), "b")).toEqual(["must be an a"]);
});
