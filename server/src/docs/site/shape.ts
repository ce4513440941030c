import { componentName, type OpenApiDocument, resolve, type Schema } from "./document.ts";
import { alternativesOf, ID_PATTERN } from "./example.ts";

/** What a value looks like, in words and in fields. */
export interface Shape {
  type: string;
  /** Bounds, formats and defaults, each a few words. */
  notes: string[];
  /** The only values it may have. */
  values: string[];
  fields: Field[];
  /** Where a value may take several forms, the fields of each. */
  variants: Field[][];
}

export interface Field extends Shape {
  name: string;
  description: string;
  isRequired: boolean;
}

/** Deeper than any of the API's bodies goes; a schema that holds itself stops here. */
const MAX_DEPTH = 6;

export function shapeOf(document: OpenApiDocument, reference: Schema, depth = 0): Shape {
  const schema = resolve(document, reference);
  const options = alternativesOf(schema);
  const isNullable = [schema.type].flat().includes("null") || options?.some(isNull) === true;
  const plain = options?.filter((option) => !isNull(option));
  const shape =
    plain === undefined ? single(document, schema, depth) : union(document, schema, plain, depth);
  const type = shownName(componentName(reference)) ?? shape.type;
  return { ...shape, type: isNullable ? `${type} or null` : type };
}

/** What requests hold may be described besides what answers hold; to people it is one thing. */
const shownName = (name: string | undefined): string | undefined => name?.replace(/Input$/, "");

const isNull = (schema: Schema): boolean => schema.type === "null";

function union(document: OpenApiDocument, schema: Schema, options: Schema[], depth: number): Shape {
  const shapes = options.map((option) =>
    shapeOf(document, { ...option, ...besides(schema) }, depth),
  );
  const [only] = shapes;
  if (only !== undefined && shapes.length === 1) return only;
  const variants = shapes.map(({ fields }) => fields).filter((fields) => fields.length > 0);
  return {
    type: [...new Set(shapes.map(({ type }) => type))].join(" or "),
    notes: [...new Set(shapes.flatMap(({ notes }) => notes))],
    values: shapes.flatMap(({ values }) => values),
    fields: variants.length === 1 ? (variants[0] ?? []) : [],
    variants: variants.length > 1 ? variants : [],
  };
}

/** What is said once of all alternatives holds for each. */
function besides({ default: fallback, description }: Schema): Schema {
  return {
    ...(fallback === undefined ? {} : { default: fallback }),
    ...(description === undefined ? {} : { description }),
  };
}

function single(document: OpenApiDocument, schema: Schema, depth: number): Shape {
  const { items, additionalProperties } = schema;
  if (items !== undefined) {
    const inner = shapeOf(document, items, depth);
    return {
      ...inner,
      type: `array of ${inner.type}`,
      notes: [...notesOf(schema), ...inner.notes],
    };
  }
  const isMap = schema.properties === undefined && typeof additionalProperties === "object";
  const type = isMap
    ? `map of ${shapeOf(document, additionalProperties, depth).type}`
    : ([schema.type].flat().find((name) => name !== "null") ?? typeof schema.const);
  return {
    type,
    notes: notesOf(schema),
    values: (schema.enum ?? ("const" in schema ? [schema.const] : [])).map((value) =>
      String(value),
    ),
    fields: depth >= MAX_DEPTH ? [] : fieldsOf(document, schema, depth + 1),
    variants: [],
  };
}

function fieldsOf(document: OpenApiDocument, schema: Schema, depth: number): Field[] {
  const parts = [schema, ...(schema.allOf ?? []).map((part) => resolve(document, part))];
  return parts.flatMap(({ properties = {}, required = [] }) =>
    Object.entries(properties).map(([name, property]) => ({
      ...shapeOf(document, property, depth),
      name,
      description: resolve(document, property).description ?? "",
      isRequired: required.includes(name),
    })),
  );
}

const FORMATS: Record<string, string> = {
  date: "YYYY-MM-DD",
  "date-time": "ISO 8601, UTC",
  email: "e-mail address",
  uri: "URL",
};

function notesOf(schema: Schema): string[] {
  const { format = "", minLength, maxLength, minItems, maxItems, maxProperties } = schema;
  const known = FORMATS[format];
  return [
    known ?? "",
    // A known format says more than the pattern that checks it.
    known === undefined ? patternNote(schema.pattern) : "",
    range(minLength, maxLength, "character"),
    range(minItems, maxItems, "item"),
    range(undefined, maxProperties, "entry", "entries"),
    bounds(schema),
    schema.default === undefined ? "" : `default ${JSON.stringify(schema.default)}`,
  ].filter((note) => note !== "");
}

function patternNote(pattern: string | undefined): string {
  // That text holds no control characters goes without saying.
  if (pattern === undefined || pattern.includes("\\u0000")) return "";
  const prefix = ID_PATTERN.exec(pattern)?.[1];
  return prefix === undefined ? `matches ${pattern}` : `starts with ${prefix}_`;
}

function range(
  min: number | undefined,
  max: number | undefined,
  one: string,
  many = `${one}s`,
): string {
  const unit = (count: number): string => (count === 1 ? one : many);
  if (max === undefined)
    return min === undefined || min === 0 ? "" : `at least ${min} ${unit(min)}`;
  if (min === undefined || min === 0) return `at most ${max} ${unit(max)}`;
  return min === max ? `${min} ${unit(min)}` : `${min} to ${max} ${many}`;
}

function bounds({ minimum, maximum, exclusiveMinimum, exclusiveMaximum }: Schema): string {
  // The bounds of exact integers are the language's, not the API's.
  const isSaid = (bound: number | undefined): bound is number =>
    bound !== undefined && Math.abs(bound) < Number.MAX_SAFE_INTEGER;
  const show = (value: number): string => value.toLocaleString("en");
  if (isSaid(minimum) && isSaid(maximum)) return `${show(minimum)} to ${show(maximum)}`;
  return [
    isSaid(minimum) ? `at least ${show(minimum)}` : "",
    isSaid(exclusiveMinimum) ? `more than ${show(exclusiveMinimum)}` : "",
    isSaid(maximum) ? `at most ${show(maximum)}` : "",
    isSaid(exclusiveMaximum) ? `less than ${show(exclusiveMaximum)}` : "",
  ]
    .filter((part) => part !== "")
    .join(", ");
}
