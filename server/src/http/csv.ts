/** What spreadsheets take for the beginning of a formula. */
const FORMULA = /^[=+\-@\t\r]/;
const NUMBER = /^-?\d+(\.\d+)?$/;

export const CSV_TYPE = "text/csv; charset=utf-8";

/**
 * One line of CSV (RFC 4180). Text that a spreadsheet would run as a formula gets an apostrophe before it,
 * which spreadsheets hide and which makes it text.
 */
export function csvLine(cells: readonly (string | null)[]): string {
  return `${cells.map((cell) => (cell === null ? "" : quoted(harmless(cell)))).join(",")}\r\n`;
}

/** How many rows are read from the database at once. */
export const CSV_PIECE_ROWS = 1_000;

/** A table as CSV in pieces, each read when the one before was taken; one that is not full is the last. */
export async function* csvPieces<Row>(
  head: readonly string[],
  first: Row[],
  {
    cellsOf,
    readAfter,
  }: {
    cellsOf: (row: Row) => readonly (string | null)[];
    readAfter: (last: Row) => Promise<Row[]>;
  },
): AsyncGenerator<string> {
  yield csvLine(head);
  for (let rows = first; rows.length > 0; ) {
    yield rows.map((row) => csvLine(cellsOf(row))).join("");
    const last = rows.length < CSV_PIECE_ROWS ? undefined : rows.at(-1);
    rows = last === undefined ? [] : await readAfter(last);
  }
}

const harmless = (cell: string): string =>
  FORMULA.test(cell) && !NUMBER.test(cell) ? `'${cell}` : cell;

const quoted = (cell: string): string =>
  /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;

/** Whether a client asks for CSV, and for nothing that it would rather have. */
export function wantsCsv(accept: string | undefined): boolean {
  const csv = qualityOf(accept, "text/csv");
  return csv > 0 && csv >= qualityOf(accept, "application/json");
}

/** How much a type that is named is wanted, 0 to 1; wildcards mean our usual JSON. */
function qualityOf(accept: string | undefined, type: string): number {
  for (const range of (accept ?? "").toLowerCase().split(",")) {
    const [name, ...parameters] = range.split(";").map((part) => part.trim());
    if (name !== type) continue;
    const quality = parameters.find((parameter) => parameter.startsWith("q="));
    return quality === undefined ? 1 : Number(quality.slice(2)) || 0;
  }
  return 0;
}
