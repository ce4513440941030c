import type { Unit } from "./figure.ts";

const whole = new Intl.NumberFormat("en-US", { maximumFractionDigits: 0 });

export function formatValue(value: number, unit: Unit): string {
  if (unit === "/s") return `${whole.format(value)}/s`;
  return unit === "s" ? `${value.toFixed(2)} s` : `${whole.format(value)} MB`;
}

export const formatRatio = (ratio: number): string => `${ratio.toFixed(2)} ×`;

/** Columns as wide as their widest cell. */
export function alignColumns(rows: readonly (readonly string[])[]): string {
  const widths = rows.reduce<number[]>(
    (widest, row) => row.map((cell, column) => Math.max(widest[column] ?? 0, cell.length)),
    [],
  );
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}
