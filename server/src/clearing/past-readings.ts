interface Reading {
  /** In monotonic time. */
  atMs: number;
  shownMs: number;
}

/** Fewer readings tell the same, a little later. */
const APART_MS = 1_000;

/** What a clock has shown so long ago that nothing which asked it earlier is still under way. */
export class PastReadings {
  readonly #ageMs: number;
  /** The first is old enough, the others are not yet. */
  readonly #readings: Reading[];

  /** `leastMs`: what it showed at least when this began. */
  constructor(ageMs: number, leastMs: number) {
    this.#ageMs = ageMs;
    this.#readings = [{ atMs: Number.NEGATIVE_INFINITY, shownMs: leastMs - ageMs }];
  }

  /** Takes another reading, and gives the latest that is old enough. */
  note(atMs: number, shownMs: number): number {
    const readings = this.#readings;
    if (atMs - (readings.at(-1)?.atMs ?? 0) >= APART_MS) readings.push({ atMs, shownMs });
    while (readings[1] !== undefined && atMs - readings[1].atMs >= this.#ageMs) readings.shift();
    return readings[0]?.shownMs ?? 0;
  }
}
