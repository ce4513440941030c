/**
 * TypeScript of an OpenAPI document: a type for each schema that some operation uses, for each body and
 * each query, and a table of all operations. It knows the part of JSON Schema that the document uses and
 * throws on anything else, so that nothing becomes `unknown` unnoticed.
 *
 * @param {object} document an OpenAPI 3.1 document
 * @returns {string}
 */
export function renderTypes(document) {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => describe(method, path, operation)),
  );
  const used = usedSchemas(document, operations);
  const parts = [
    "// Made from docs/openapi.json by `npm run generate`. Changes belong there.",
    ...[...used].map(([name, isInput]) =>
      declaration(name, document.components.schemas[name], isInput),
    ),
    ...operations.flatMap(declarationsOf),
    typesOfOperations(operations),
    tableOfOperations(operations),
  ];
  return `${parts.join("\n\n")}\n`;
}

function describe(method, path, operation) {
  const { operationId, parameters = [], requestBody, summary, description } = operation;
  const answer = operation.responses["200"].content["application/json"].schema.properties;
  const body = requestBody?.content["application/json"].schema;
  return {
    operationId,
    name: operationId[0].toUpperCase() + operationId.slice(1),
    method: method.toUpperCase(),
    path,
    summary,
    description,
    params: parameters.filter((parameter) => parameter.in === "path"),
    query: parameters.filter((parameter) => parameter.in === "query"),
    body: body && withoutNull(body),
    isBodyOptional: body !== undefined && body !== withoutNull(body),
    data: answer.data,
    isPaged: answer.pagination !== undefined,
  };
}

/** A body that may be left out is documented as the body or null. */
function withoutNull(schema) {
  const [first, second, ...more] = schema.anyOf ?? [];
  return second?.type === "null" && more.length === 0 ? first : schema;
}

/** The names of all schemas that operations refer to, and whether each is something that a client sends. */
function usedSchemas(document, operations) {
  const used = new Map();
  const visit = (schema, isInput) => {
    if (schema === null || typeof schema !== "object") return;
    const name = schema.$ref === undefined ? undefined : nameOf(schema.$ref);
    if (name !== undefined && !used.has(name)) {
      used.set(name, isInput);
      visit(document.components.schemas[name], isInput);
    }
    for (const [keyword, value] of Object.entries(schema)) {
      if (keyword !== "examples") visit(value, isInput);
    }
  };
  for (const { body, query, data } of operations) {
    visit(body ?? null, true);
    visit(query, true);
    visit(data, false);
  }
  return new Map([...used].sort(([a], [b]) => (a < b ? -1 : 1)));
}

const nameOf = (ref) => ref.slice("#/components/schemas/".length);

function declaration(name, schema, isInput) {
  const type = typeOf(schema, "", isInput);
  const isObject = schema.type === "object" && type.startsWith("{");
  const text = isObject ? `export interface ${name} ${type}` : `export type ${name} = ${type};`;
  return comment(schema.description, "") + text;
}

function declarationsOf({ name, summary, query, body }) {
  return [
    ...(query.length === 0
      ? []
      : [declaration(`${name}Query`, { ...objectOf(query), description: summary }, true)]),
    ...(body === undefined || isEmpty(body)
      ? []
      : [declaration(`${name}Body`, { ...body, description: body.description ?? summary }, true)]),
  ];
}

const isEmpty = (schema) =>
  schema.type === "object" && Object.keys(schema.properties ?? {}).length === 0;

function objectOf(parameters) {
  return {
    type: "object",
    properties: Object.fromEntries(
      parameters.map(({ name, schema, description }) => [name, { ...schema, description }]),
    ),
    required: parameters.filter(({ required }) => required).map(({ name }) => name),
  };
}

function typesOfOperations(operations) {
  const lines = operations.map((operation) => {
    const { operationId, name, method, path, params, query, body, isBodyOptional } = operation;
    const has = body !== undefined && !isEmpty(body);
    const facts = [
      `method: "${method}"`,
      `path: "${path}"`,
      `params: ${params.length === 0 ? "NoFields" : `{ ${params.map((p) => `${p.name}: string`).join("; ")} }`}`,
      `query: ${query.length === 0 ? "NoFields" : `${name}Query`}`,
      `body: ${has ? `${name}Body${isBodyOptional ? " | undefined" : ""}` : "undefined"}`,
      `data: ${typeOf(operation.data, "    ", false)}`,
      `paged: ${operation.isPaged}`,
    ];
    return `${comment(operation.description ?? operation.summary, "  ")}  ${operationId}: {\n${facts.map((fact) => `    ${fact};\n`).join("")}  };`;
  });
  return `type NoFields = Record<never, never>;\n\n/** Every operation: where it is, what it takes and what it answers. */\nexport interface Operations {\n${lines.join("\n")}\n}`;
}

function tableOfOperations(operations) {
  const lines = operations.map(
    ({ operationId, method, path }) =>
      `  ${operationId}: { method: "${method}", path: "${path}" },`,
  );
  return `export const operations = {\n${lines.join("\n")}\n} as const satisfies {\n  [Id in keyof Operations]: Pick<Operations[Id], "method" | "path">;\n};`;
}

function typeOf(schema, indent, isInput) {
  if (schema.$ref !== undefined) return nameOf(schema.$ref);
  const options = schema.anyOf ?? schema.oneOf;
  if (options !== undefined) return unionOf(options.map((one) => typeOf(one, indent, isInput)));
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined && schema.type !== "boolean")
    return unionOf(schema.enum.map((value) => JSON.stringify(value)));
  if (Array.isArray(schema.type))
    return unionOf(schema.type.map((type) => typeOf({ ...schema, type }, indent, isInput)));
  if (schema.type === "array") return arrayOf(typeOf(schema.items, indent, isInput));
  if (schema.type === "object") return objectType(schema, indent, isInput);
  const plain = { string: "string", number: "number", integer: "number", boolean: "boolean" };
  const type = { ...plain, null: "null" }[schema.type];
  if (type !== undefined) return type;
  if (Object.keys(schema).length === 0) return "unknown";
  throw new Error(`This schema is not understood: ${JSON.stringify(schema)}`);
}

const unionOf = (types) => [...new Set(types)].join(" | ");
const arrayOf = (type) => (/^[\w.]+$/.test(type) ? `${type}[]` : `Array<${type}>`);

function objectType(schema, indent, isInput) {
  const { properties = {}, required = [], additionalProperties } = schema;
  const isMap = typeof additionalProperties === "object" && Object.keys(properties).length === 0;
  if (isMap) return `Record<string, ${typeOf(additionalProperties, indent, isInput)}>`;
  const inner = `${indent}  `;
  const lines = Object.entries(properties).map(([name, property]) => {
    const isRequired = required.includes(name);
    const type = typeOf(property, inner, isInput);
    // Callers may pass undefined for what they leave out; answers never have it.
    const orNothing = isRequired || !isInput ? "" : " | undefined";
    return `${comment(property.description, inner)}${inner}${name}${isRequired ? "" : "?"}: ${type}${orNothing};\n`;
  });
  return lines.length === 0 ? "Record<never, never>" : `{\n${lines.join("")}${indent}}`;
}

function comment(text, indent) {
  return text === undefined ? "" : `${indent}/** ${text.replaceAll("*/", "*\\/")} */\n`;
}
