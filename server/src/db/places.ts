/**
 * Where a table has a row. A row that nobody else may change stays where it was read, so it is written
 * back there without looking for it again. Should it have moved, somebody does not keep to the locks, and
 * nothing is written at all.
 */
export function placeArray(rows: readonly { place?: string | undefined }[]): string {
  const places = rows.map(({ place }) => {
    if (place === undefined) throw new Error("A row is to be changed that was not read.");
    return `"${place}"`;
  });
  return `{${places.join(",")}}`;
}

/**
 * An update that fails unless it finds all rows; how many that are is its first parameter. It should
 * compare the id too, in a way that no index serves: for a small table that would seem the shorter way.
 */
export const allInPlace = (table: string, update: string): string =>
  `with found as (${update} returning 1) select expect_rows(count(*), $1::bigint, '${table}') from found`;
