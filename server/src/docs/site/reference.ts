import {
  jsonOf,
  type OpenApiDocument,
  type OperationObject,
  type ParameterObject,
  resolve,
  type Schema,
} from "./document.ts";

/** One operation as the reference shows it. */
export interface Operation {
  /** Names the operation in links; made from its path, so that links survive a change of wording. */
  anchor: string;
  method: string;
  path: string;
  summary: string;
  description: string;
  pathParameters: ParameterObject[];
  queryParameters: ParameterObject[];
  body?: Schema;
  /** What `data` holds when the operation succeeds. */
  data?: Schema;
  /** A whole answer that the service once gave. */
  recorded?: unknown;
  isPaged: boolean;
}

/** The operations of one tag, on a page of their own. */
export interface Section {
  slug: string;
  title: string;
  description: string;
  operations: Operation[];
}

const METHODS = ["get", "post", "put", "patch", "delete"];

/** The operations by tag, in the order that the API's description gives them. */
export function sectionsOf(document: OpenApiDocument): Section[] {
  const sections = new Map<string, Section>();
  for (const { name, description = "" } of document.tags ?? []) {
    sections.set(name, { slug: slugOf(name), title: name, description, operations: [] });
  }
  for (const [path, item] of Object.entries(document.paths ?? {})) {
    for (const method of METHODS) {
      const found = item[method];
      if (found !== undefined)
        sectionFor(sections, found).push(read(document, method, path, found));
    }
  }
  return [...sections.values()].filter(({ operations }) => operations.length > 0);
}

function sectionFor(sections: Map<string, Section>, { tags }: OperationObject): Operation[] {
  const title = tags?.[0] ?? "Other";
  const section = sections.get(title) ?? {
    slug: slugOf(title),
    title,
    description: "",
    operations: [],
  };
  sections.set(title, section);
  return section.operations;
}

function read(
  document: OpenApiDocument,
  method: string,
  path: string,
  operation: OperationObject,
): Operation {
  const { parameters = [], summary = path, description = "" } = operation;
  const body = jsonOf(operation.requestBody);
  const envelope = jsonOf(operation.responses?.["200"]);
  const answer = envelope === undefined ? {} : (resolve(document, envelope).properties ?? {});
  return {
    anchor: slugOf(`${method} ${path.replace("/api/v1", "")}`),
    method: method.toUpperCase(),
    path,
    summary,
    description,
    pathParameters: parameters.filter((parameter) => parameter.in === "path"),
    queryParameters: parameters.filter((parameter) => parameter.in === "query"),
    isPaged: "pagination" in answer,
    ...(body === undefined ? {} : { body }),
    ...(answer.data === undefined ? {} : { data: answer.data }),
    ...(envelope?.examples === undefined ? {} : { recorded: envelope.examples[0] }),
  };
}

function slugOf(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "");
}
