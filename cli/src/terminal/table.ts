import { stripVTControlCharacters } from "node:util";
import type { Terminal } from "./terminal.ts";

export interface Column<Row> {
  head: string;
  cell(row: Row): string;
  align?: "left" | "right";
}

/** Columns for people: aligned by what is seen, whatever colours are in the cells. */
export function table<Row>(
  { style }: Pick<Terminal, "style">,
  columns: readonly Column<Row>[],
  rows: readonly Row[],
): string {
  const body = rows.map((row) => columns.map((column) => column.cell(row)));
  const widths = columns.map(({ head }, index) =>
    Math.max(head.length, ...body.map((cells) => widthOf(cells[index] ?? ""))),
  );
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, index) => pad(cell, widths[index] ?? 0, columns[index]?.align))
      .join("  ")
      .trimEnd();
  const head = style("dim", line(columns.map((column) => column.head)));
  return [head, ...body.map(line)].join("\n");
}

/** Names and values under each other; what is undefined is left out. */
export function facts(
  { style }: Pick<Terminal, "style">,
  entries: readonly (readonly [name: string, value: string | undefined])[],
): string {
  const present = entries.filter(([, value]) => value !== undefined);
  const width = Math.max(0, ...present.map(([name]) => name.length));
  return present.map(([name, value]) => `${style("dim", name.padEnd(width))}  ${value}`).join("\n");
}

const widthOf = (text: string): number => stripVTControlCharacters(text).length;

function pad(text: string, width: number, align: "left" | "right" = "left"): string {
  const blanks = " ".repeat(Math.max(0, width - widthOf(text)));
  return align === "right" ? blanks + text : text + blanks;
}
