import type { Registry } from "prom-client";
import { SeriesHistogram } from "./series-histogram.ts";

/** How long answers took, by listener, route, status and code. */
export class RequestMetrics {
  readonly #durations: SeriesHistogram;

  constructor(registry: Registry) {
    this.#durations = new SeriesHistogram(
      registry,
      "florin_http_request_duration_seconds",
      "Time from a request's start to its answer, by listener, route, HTTP status and responseCode.",
    );
  }

  observe(listener: string, route: string, status: number, code: string, durationMs: number): void {
    const key = `${listener} ${route} ${status} ${code}`;
    this.#durations.observe(key, () => ({ listener, route, status, code }), durationMs);
  }
}
