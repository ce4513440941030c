/**
 * Where a table has a row. A row that nobody else may change stays where it was read, so it is written
 * back there without looking for it again. Should it have moved, somebody does not keep to the locks, and
 * nothing is written at all.
 */
export const placeArray = (rows: readonly { place?: string | undefined }[]): string =>
  `{${rows.map(({ place }) => (place === undefined ? "null" : `"${place}"`)).join(",")}}`;

/** An update that fails unless it finds all rows; how many that are is its first parameter. */
export const allInPlace = (update: string): string =>
  `with found as (${update} returning 1) select expect_rows(count(*), $1::int) from found`;
