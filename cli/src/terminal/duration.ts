const UNITS_S = { second: 1, minute: 60, hour: 3_600, day: 86_400 } as const;
const MAX_S = 400 * UNITS_S.day;

/** About how long, in the largest unit of which there are several: `62 days`. */
export function durationText(seconds: number): string {
  const [unit = "second", inS = 1] =
    Object.entries(UNITS_S).findLast(([, each]) => seconds >= 2 * each) ?? [];
  return counted(Math.round(seconds / inS), unit);
}

/** Just how long, in the largest unit that it is a whole number of: `36 hours`. */
export function exactDurationText(seconds: number): string {
  const [unit = "second", inS = 1] =
    Object.entries(UNITS_S).findLast(([, each]) => seconds % each === 0) ?? [];
  return counted(seconds / inS, unit);
}

const counted = (count: number, unit: string): string =>
  `${count} ${unit}${count === 1 ? "" : "s"}`;

/** Seconds of `90`, `90 seconds`, `8 days` or `8d`; undefined if it is none, or more than the clock may move. */
export function readDuration(value: unknown): number | undefined {
  const text = typeof value === "number" ? `${value} seconds` : value;
  if (typeof text !== "string") return undefined;
  const match = /^(\d{1,9})(?: ?(?:(second|minute|hour|day)s?|([smhd])))?$/.exec(text);
  if (match === null) return undefined;
  const unit = Object.entries(UNITS_S).find(([name]) => name === match[2] || name[0] === match[3]);
  const seconds = Number(match[1]) * (unit?.[1] ?? 1);
  return seconds >= 1 && seconds <= MAX_S ? seconds : undefined;
}
