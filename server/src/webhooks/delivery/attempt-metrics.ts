import { Counter, Gauge, Histogram, type Registry } from "prom-client";

const BUCKETS_S = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** What operators watch of attempts at deliveries. */
export class AttemptMetrics {
  readonly #attempts: Counter<"outcome">;
  readonly #durations: Histogram;

  constructor(registry: Registry, inFlight: () => number) {
    const registers = [registry];
    this.#attempts = new Counter({
      name: "florin_webhook_attempts_total",
      help: "Attempts at delivering an event, by what came of them.",
      labelNames: ["outcome"] as const,
      registers,
    });
    this.#durations = new Histogram({
      name: "florin_webhook_attempt_duration_seconds",
      help: "Time from sending an event to the end of the answer.",
      buckets: BUCKETS_S,
      registers,
    });
    new Gauge({
      name: "florin_webhook_attempts_in_flight",
      help: "Attempts that wait for an answer.",
      registers,
      collect() {
        this.set(inFlight());
      },
    });
  }

  observe(attempt: { isAcknowledged: boolean; nextAt: Date | null; durationMs: number }): void {
    const failure = attempt.nextAt === null ? "gave_up" : "failed";
    this.#attempts.inc({ outcome: attempt.isAcknowledged ? "acknowledged" : failure });
    this.#durations.observe(attempt.durationMs / 1000);
  }
}
