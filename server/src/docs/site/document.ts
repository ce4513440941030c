/** The parts of JSON Schema that the API's own schemas use. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  title?: string;
  description?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
  propertyNames?: Schema;
  items?: Schema;
  enum?: unknown[];
  const?: unknown;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  default?: unknown;
  examples?: unknown[];
  format?: string;
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  exclusiveMaximum?: number;
  minItems?: number;
  maxItems?: number;
  maxProperties?: number;
}

interface Media {
  content?: Record<string, { schema?: Schema; example?: unknown }>;
}

export interface ParameterObject {
  name: string;
  in: string;
  required?: boolean;
  description?: string;
  schema?: Schema;
}

export interface OperationObject {
  operationId?: string;
  tags?: string[];
  summary?: string;
  description?: string;
  parameters?: ParameterObject[];
  requestBody?: Media;
  responses?: Record<string, Media>;
}

/** The parts of an OpenAPI document that the reference shows. */
export interface OpenApiDocument {
  info: { title: string };
  tags?: { name: string; description?: string }[];
  paths?: Record<string, Record<string, OperationObject>>;
  components?: { schemas?: Record<string, Schema> };
}

const REFERENCE = /^#\/components\/schemas\/(.+)$/;

/** The name of the component that a schema stands for, if it is a reference to one. */
export function componentName(schema: Schema): string | undefined {
  return REFERENCE.exec(schema.$ref ?? "")?.[1];
}

/** Follows references until there is something to look at; what stands beside a reference wins. */
export function resolve(document: OpenApiDocument, schema: Schema): Schema {
  const name = componentName(schema);
  if (name === undefined) return schema;
  const { $ref: _followed, ...beside } = schema;
  const component = document.components?.schemas?.[name];
  if (component === undefined) throw new Error(`The API's description lacks the schema ${name}.`);
  return { ...resolve(document, component), ...beside };
}

export function jsonOf(media: Media | undefined): Schema | undefined {
  const { schema, example } = media?.content?.["application/json"] ?? {};
  // OpenAPI has the example of a whole body beside its schema.
  return schema === undefined || example === undefined
    ? schema
    : { ...schema, examples: [example] };
}
