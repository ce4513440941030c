import { componentName, type OpenApiDocument, resolve, type Schema } from "./document.ts";
import { sampleOf } from "./pattern.ts";
import { sampleId } from "./shared/sample-id.ts";

/**
 * `sendable` holds what a request needs and the optional fields that have an example or a default of
 * their own: fields that exclude each other do not meet in it. `complete` shows every field there is.
 */
export type Extent = "sendable" | "complete";

/** How the patterns of ids begin. */
export const ID_PATTERN = /^\^([a-z]+)_/;

/** A value that a schema accepts, the schema's own examples first. */
export function exampleOf(document: OpenApiDocument, schema: Schema, extent: Extent): unknown {
  return build({ document, extent, open: [] }, schema);
}

interface Context {
  document: OpenApiDocument;
  extent: Extent;
  /** The components that are being built, so that one that holds itself comes to an end. */
  open: readonly string[];
}

function build(context: Context, reference: Schema): unknown {
  const name = componentName(reference);
  if (name !== undefined && context.open.includes(name)) return null;
  const inside = name === undefined ? context : { ...context, open: [...context.open, name] };
  const schema = resolve(context.document, reference);
  const own = ownExample(schema);
  if (own !== undefined) return own;
  const choice = alternativesOf(schema)?.find((option) => option.type !== "null");
  if (choice !== undefined) return build(inside, choice);
  if (schema.allOf !== undefined) {
    const parts = schema.allOf.map((part) => resolve(context.document, part));
    return build(inside, Object.assign({}, schema, { allOf: undefined }, ...parts));
  }
  return ofType(inside, schema);
}

export function alternativesOf(schema: Schema): Schema[] | undefined {
  return schema.anyOf ?? schema.oneOf;
}

function ownExample({ examples, default: fallback, const: constant, ...schema }: Schema): unknown {
  return examples?.[0] ?? fallback ?? constant ?? schema.enum?.[0];
}

function ofType(context: Context, schema: Schema): unknown {
  const type = [schema.type].flat().find((name) => name !== "null");
  if (type === "object") return objectOf(context, schema);
  if (type === "array") return arrayOf(context, schema);
  if (type === "string") return textOf(schema);
  if (type === "boolean") return false;
  if (type === "integer" || type === "number") return numberOf(schema);
  return null;
}

function objectOf(
  context: Context,
  { properties = {}, required = [], ...schema }: Schema,
): unknown {
  const shown = Object.entries(properties).filter(
    ([name, field]) =>
      context.extent === "complete" ||
      required.includes(name) ||
      ownExample(resolve(context.document, field)) !== undefined,
  );
  if (shown.length > 0 || typeof schema.additionalProperties !== "object") {
    return Object.fromEntries(shown.map(([name, field]) => [name, build(context, field)]));
  }
  return { key: build(context, schema.additionalProperties) };
}

function arrayOf(context: Context, { items, minItems = 1 }: Schema): unknown[] {
  if (items === undefined) return [];
  return Array.from({ length: Math.max(1, minItems) }, () => build(context, items));
}

const BY_FORMAT: Record<string, string> = {
  date: "2026-01-31",
  "date-time": "2026-01-31T12:00:00.000Z",
  email: "ada@example.com",
  uri: "https://example.com/hooks",
};

function textOf({ format = "", pattern, minLength = 0, maxLength }: Schema): string {
  const known = BY_FORMAT[format];
  if (known !== undefined) return known;
  const prefix = ID_PATTERN.exec(pattern ?? "")?.[1];
  if (prefix !== undefined) return sampleId(prefix);
  const word = "text".padEnd(minLength, "text").slice(0, maxLength);
  if (pattern === undefined || new RegExp(pattern).test(word)) return word;
  return sampleOf(pattern, minLength) ?? word;
}

function numberOf({ minimum, maximum, exclusiveMinimum, exclusiveMaximum }: Schema): number {
  const low = Math.max(minimum ?? -Infinity, (exclusiveMinimum ?? -Infinity) + 1);
  const high = Math.min(maximum ?? Infinity, (exclusiveMaximum ?? Infinity) - 1);
  return Math.min(high, Math.max(low, 1));
}
