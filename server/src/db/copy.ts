import { isoTime } from "../foundation/dates.ts";
import type { Statement } from "./trip.ts";

/** What a column can hold. Objects are written out by whoever names the column; see json. */
export type Cell = string | number | bigint | boolean | Date | Buffer | null | undefined;

/** The columns of a table by name, each with where its value comes from. */
export type Columns<Row> = Readonly<Record<string, (row: Row) => Cell>>;

/**
 * Inserts many rows with PostgreSQL's COPY: one line of text for each. Against an insert from arrays it
 * saves the database taking every array apart again, and it writes whole pages at once.
 */
export function copyInto<Row>(table: string, columns: Columns<Row>): (rows: Row[]) => Statement {
  const names = Object.keys(columns);
  const cells = Object.values(columns);
  const name = `${table}_insert`;
  const text = `copy ${table} (${names.join(", ")}) from stdin`;
  return (rows) => ({ name, text, copy: rows.map((row) => lineOf(row, cells)).join("") });
}

export const json = (value: unknown): string | null =>
  value === null || value === undefined ? null : JSON.stringify(value);

function lineOf<Row>(row: Row, cells: readonly ((row: Row) => Cell)[]): string {
  let line = "";
  for (let i = 0; i < cells.length; i++) {
    if (i > 0) line += "\t";
    line += textOf((cells[i] as (row: Row) => Cell)(row));
  }
  return `${line}\n`;
}

function textOf(cell: Cell): string {
  if (typeof cell === "string")
    return SPECIAL.test(cell) ? cell.replace(EACH_SPECIAL, escaped) : cell;
  if (cell === null || cell === undefined) return "\\N";
  if (cell instanceof Date) return isoTime(cell);
  if (Buffer.isBuffer(cell)) return `\\\\x${cell.toString("hex")}`;
  return String(cell);
}

const SPECIAL = /[\\\n\r\t]/;
const EACH_SPECIAL = /[\\\n\r\t]/g;
const ESCAPES: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };
const escaped = (character: string): string => ESCAPES[character] ?? "\\\\";
