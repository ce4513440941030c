const UNITS_S = { second: 1, minute: 60, hour: 3_600, day: 86_400 } as const;
const MAX_S = 400 * UNITS_S.day;

/** About how long, in the largest unit of which there are several: `62 days`. */
export function durationText(seconds: number): string {
  const [unit = "second", inS = 1] =
    Object.entries(UNITS_S).findLast(([, each]) => seconds >= 2 * each) ?? [];
  const count = Math.round(seconds / inS);
  return `${count} ${unit}${count === 1 ? "" : "s"}`;
}

/** Seconds of `90`, `90 seconds` or `8 days`; undefined if it is none, or more than the clock may move. */
export function readDuration(value: unknown): number | undefined {
  const text = typeof value === "number" ? `${value} seconds` : value;
  if (typeof text !== "string") return undefined;
  const match = /^(\d{1,9})(?: ?(second|minute|hour|day)s?)?$/.exec(text);
  if (match === null) return undefined;
  const unit = (match[2] ?? "second") as keyof typeof UNITS_S;
  const seconds = Number(match[1]) * UNITS_S[unit];
  return seconds >= 1 && seconds <= MAX_S ? seconds : undefined;
}
