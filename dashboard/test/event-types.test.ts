import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { EVENT_TYPES } from "../src/events/types.ts";

const openapi = new URL("../../docs/openapi.json", import.meta.url);

/** Every list of allowed values in the document that has this one. */
function listsWith(value: string, node: unknown): string[][] {
  if (typeof node !== "object" || node === null) return [];
  const own = "enum" in node && Array.isArray(node.enum) && node.enum.includes(value);
  const deeper = Object.values(node).flatMap((child) => listsWith(value, child));
  return own ? [node.enum as string[], ...deeper] : deeper;
}

test("the page knows every type of event that the API tells of", () => {
  const lists = listsWith("kyc.initiated", JSON.parse(readFileSync(openapi, "utf8")));
  expect(lists.length).toBeGreaterThan(0);
  for (const list of lists) expect([...list].sort()).toEqual([...EVENT_TYPES].sort());
});
