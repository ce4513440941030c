import { textArray } from "./arrays.ts";

/** Names a row within its organization, for questions that are asked of many organizations at once. */
export const scopedKey = (organizationId: string, id: string): string => `${organizationId} ${id}`;

/** The organizations and the ids of such keys, as two columns of a statement. */
export function scopedColumns(keys: readonly string[]): [string, string] {
  const parted = keys.map((key) => key.split(" "));
  return [
    textArray(parted.map(([organizationId = ""]) => organizationId)),
    textArray(parted.map(([, id = ""]) => id)),
  ];
}
