import { quantile } from "../statistics.ts";

/** How long answers took, each from when its request was due. */
export class Latencies {
  readonly #ms: number[] = [];

  get count(): number {
    return this.#ms.length;
  }

  add(ms: number): void {
    this.#ms.push(ms);
  }

  p50AndP99(): { p50Ms: number; p99Ms: number } {
    const sorted = Float64Array.from(this.#ms).sort();
    return { p50Ms: quantile(sorted, 0.5), p99Ms: quantile(sorted, 0.99) };
  }
}
