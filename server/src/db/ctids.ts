/**
 * Where rows lie in their table (ctid). A row that nobody else may change stays where it was read, so it is
 * written back there without looking for it again. Should it have moved, somebody has ignored the locks, and
 * nothing is written at all.
 */
export function ctidArray(rows: readonly { ctid?: string | undefined }[]): string {
  const ctids = rows.map(({ ctid }) => {
    if (ctid === undefined) throw new Error("A row is to be changed that was not read.");
    return `"${ctid}"`;
  });
  return `{${ctids.join(",")}}`;
}

/**
 * Makes an update fail unless it finds all rows, whose number is its first parameter. The update should compare
 * the id too, written so that no index fits: in a small table the planner might prefer that.
 */
export const allInPlace = (table: string, update: string): string =>
  `with found as (${update} returning 1) select expect_rows(count(*), $1::bigint, '${table}') from found`;
