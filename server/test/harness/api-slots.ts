import {
  jsonOf,
  type OpenApiDocument,
  type OperationObject,
  resolve,
  type Schema,
} from "../../src/docs/site/document.ts";
import { exampleOf, ID_PATTERN } from "../../src/docs/site/example.ts";

/** One operation of the API as its document has it. */
export interface ApiOperation {
  method: string;
  /** Under /api/v1, with its parameters in braces. */
  path: string;
  /** For messages. */
  route: string;
  /** A body that it takes, if it takes one. */
  body: unknown;
  /** One with every field there is, though some may exclude each other. */
  wholeBody: unknown;
  /** The names of what may be asked for besides. */
  query: string[];
  slots: Slot[];
}

/** A place in a request that takes the name of something: a card's id, a Reference. */
export interface Slot {
  in: "path" | "query" | "body";
  /** Of a field within a field, with a dot. */
  name: string;
  /** What it names: the prefix of an id, or the parameter's own name where there is none. */
  kind: string;
}

const PREFIX = "/api/v1";

export function operationsOf(document: OpenApiDocument): ApiOperation[] {
  return Object.entries(document.paths ?? {}).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => {
      const body = jsonOf(operation.requestBody);
      return {
        method: method.toUpperCase(),
        path: path.slice(PREFIX.length),
        route: `${method.toUpperCase()} ${path.slice(PREFIX.length)}`,
        body: body && exampleOf(document, body, "sendable"),
        wholeBody: body && exampleOf(document, withoutExample(document, body), "complete"),
        query: (operation.parameters ?? []).flatMap((each) =>
          each.in === "query" ? each.name : [],
        ),
        slots: [...parameterSlots(document, operation), ...bodySlots(document, body)],
      };
    }),
  );
}

/** Its own example has what is needed; here all of its fields are wanted. */
function withoutExample(document: OpenApiDocument, schema: Schema): Schema {
  const { examples: _, ...rest } = resolve(document, schema);
  return rest;
}

function parameterSlots(document: OpenApiDocument, { parameters = [] }: OperationObject): Slot[] {
  return parameters.flatMap(({ name, in: place, schema = {} }): Slot[] => {
    const prefix = prefixOf(resolve(document, schema));
    if (place === "path") return [{ in: place, name, kind: prefix ?? name }];
    return place === "query" && prefix !== undefined ? [{ in: place, name, kind: prefix }] : [];
  });
}

function bodySlots(document: OpenApiDocument, schema: Schema | undefined, within = ""): Slot[] {
  if (schema === undefined) return [];
  const { properties = {}, items, anyOf = [], oneOf = [], allOf = [] } = resolve(document, schema);
  const own = Object.entries(properties).flatMap(([field, value]): Slot[] => {
    const name = within + field;
    const kind = prefixOf(resolve(document, value));
    if (kind !== undefined) return [{ in: "body", name, kind }];
    return bodySlots(document, value, `${name}.`);
  });
  const others = [...anyOf, ...oneOf, ...allOf, ...(items === undefined ? [] : [items])];
  return [...own, ...others.flatMap((each) => bodySlots(document, each, within))];
}

const prefixOf = ({ pattern = "" }: Schema): string | undefined => ID_PATTERN.exec(pattern)?.[1];
