/** Columns for people: text to the left, figures to the right. */
export function table(head: string[], rows: string[][]): string {
  const all = [head, ...rows];
  const widths = head.map((_, column) =>
    all.reduce((widest, row) => Math.max(widest, row[column]?.length ?? 0), 0),
  );
  const line = (row: string[]): string =>
    row
      .map((cell, column) =>
        /^-?[\d.]+$/.test(rows[0]?.[column] ?? "")
          ? cell.padStart(widths[column] ?? 0)
          : cell.padEnd(widths[column] ?? 0),
      )
      .join("  ")
      .trimEnd();
  return all.map(line).join("\n");
}
