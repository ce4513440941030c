import { type Details, detailTitles, type Unit } from "./figure.ts";

const whole = new Intl.NumberFormat("en-US", { maximumFractionDigits: 0 });

const decimals: Record<Unit, number> = { "/s": 0, s: 2, ms: 1, µs: 1, MB: 0 };

export function formatValue(value: number, unit: Unit): string {
  const text = value < 1_000 ? value.toFixed(decimals[unit]) : whole.format(value);
  return Number.isNaN(value) ? "–" : `${text}${unitText(unit)}`;
}

/** As it was set, not as it is measured. */
export const formatLimit = (limit: number, unit: Unit): string => `${limit}${unitText(unit)}`;

const unitText = (unit: Unit): string => (unit === "/s" ? unit : ` ${unit}`);

/** A detail with its title, in the unit that its name ends with. */
export function formatDetail(detail: keyof Details, value: number): string {
  const [ending = ""] = /Ms$|Us$|PerSecond$|Mb$|$/.exec(detail) ?? [];
  const text = ending === "Ms" && value < 1_000 ? value.toFixed(1) : whole.format(value);
  return `${detailTitles[detail]} ${text}${endings[ending] ?? ""}`;
}

const endings: Record<string, string> = { Ms: " ms", Us: " µs", PerSecond: "/s", Mb: " MB" };

export const formatRatio = (ratio: number): string => `${ratio.toFixed(2)} ×`;

/** Columns as wide as their widest cell. Those with numbers are aligned to the right. */
export function alignColumns(
  rows: readonly (readonly string[])[],
  numeric: readonly number[] = [],
): string {
  const widths = rows.reduce<number[]>(
    (widest, row) => row.map((cell, column) => Math.max(widest[column] ?? 0, cell.length)),
    [],
  );
  const pad = (cell: string, column: number): string =>
    numeric.includes(column)
      ? cell.padStart(widths[column] ?? 0)
      : cell.padEnd(widths[column] ?? 0);
  return rows.map((row) => row.map(pad).join("  ").trimEnd()).join("\n");
}
