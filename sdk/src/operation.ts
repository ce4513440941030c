import { type Operations, operations } from "./generated/openapi.ts";

/** The name of an operation, as in the OpenAPI document. */
export type OperationId = keyof Operations;

/** What an operation answers. */
export type Data<Id extends OperationId> = Operations[Id]["data"];

export type Method = Operations[OperationId]["method"];

/** The paths of all operations with this method, from below `/api/v1`, such as `/cards/{cardId}`. */
export type PathOf<M extends Method> = {
  [Id in OperationId]: Operations[Id] extends { method: M; path: `/api/v1${infer Path}` }
    ? Path
    : never;
}[OperationId];

export type OperationAt<M extends Method, Path extends string> = {
  [Id in OperationId]: Operations[Id] extends { method: M; path: `/api/v1${Path}` } ? Id : never;
}[OperationId];

/** Operations that change nothing although they are no GET: each attempt may have a Reference of its own. */
const HARMLESS: ReadonlySet<OperationId> = new Set(["rehearseAuthorization"]);

export function isSafe(method: string, operationId: OperationId | undefined): boolean {
  return method === "GET" || (operationId !== undefined && HARMLESS.has(operationId));
}

/** The operation at a path from `/api/v1` on, and its parameters as they stand there. */
export function findOperation(
  method: string,
  path: string,
): { operationId: OperationId; params: Record<string, string> } | undefined {
  const matches = Object.entries(operations).flatMap(([operationId, operation]) => {
    const params = operation.method === method ? match(operation.path, path) : undefined;
    return params === undefined ? [] : [{ operationId: operationId as OperationId, params }];
  });
  // Where a literal and a parameter both fit, the literal is meant.
  const count = ({ params }: { params: object }): number => Object.keys(params).length;
  return matches.sort((a, b) => count(a) - count(b))[0];
}

function match(template: string, path: string): Record<string, string> | undefined {
  const wanted = template.split("/");
  const given = path.split("/");
  if (wanted.length !== given.length) return undefined;
  const params: Record<string, string> = {};
  for (const [index, part] of wanted.entries()) {
    const value = given[index] ?? "";
    if (!part.startsWith("{")) {
      if (part !== value) return undefined;
    } else {
      params[part.slice(1, -1)] = decoded(value);
    }
  }
  return params;
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
