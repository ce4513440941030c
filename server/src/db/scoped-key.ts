import { textArray } from "./arrays.ts";

/** Names a row within its organization, for questions that are asked of many organizations at once. */
export const scopedKey = (organizationId: string, id: string): string => `${organizationId} ${id}`;

/**
 * The organizations and the ids of such keys, as two columns of a statement. Ids may have blanks in them,
 * organizations have none.
 */
export function scopedColumns(keys: readonly string[]): [string, string] {
  return [
    textArray(keys.map((key) => key.slice(0, key.indexOf(" ")))),
    textArray(keys.map((key) => key.slice(key.indexOf(" ") + 1))),
  ];
}
