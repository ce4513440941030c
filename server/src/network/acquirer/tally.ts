/** Durations are kept in steps of 5 %, so that a tally has one size whatever is counted. */
const STEP = Math.log(1.05);
const SHORTEST_MS = 0.01;

/** Counts answers and how long they took. */
export class Tally {
  readonly responses = new Map<string, number>();
  readonly #steps = new Map<number, number>();
  #count = 0;

  get count(): number {
    return this.#count;
  }

  add(response: string, ms: number): void {
    this.#count += 1;
    this.responses.set(response, (this.responses.get(response) ?? 0) + 1);
    const step = Math.ceil(Math.log(Math.max(ms, SHORTEST_MS) / SHORTEST_MS) / STEP);
    this.#steps.set(step, (this.#steps.get(step) ?? 0) + 1);
  }

  /** The time that this share of the answers did not exceed, to within 5 %; 0 where there are none. */
  percentileMs(part: number): number {
    let left = Math.ceil(this.#count * part);
    for (const [step, count] of [...this.#steps].sort(([a], [b]) => a - b)) {
      left -= count;
      if (left <= 0) return SHORTEST_MS * Math.exp(step * STEP);
    }
    return 0;
  }

  /** `00: 120  51: 3`, the most frequent first. */
  describeResponses(): string {
    return [...this.responses]
      .sort(([, a], [, b]) => b - a)
      .map(([response, count]) => `${response}: ${count}`)
      .join("  ");
  }
}
