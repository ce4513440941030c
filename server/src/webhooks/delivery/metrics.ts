import { Counter, Gauge, Histogram, type Registry } from "prom-client";
import type { Backlog } from "./backlog.ts";

const BUCKETS_S = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** What operators watch of deliveries. */
export class DeliveryMetrics {
  readonly #attempts: Counter<"outcome">;
  readonly #durations: Histogram;

  constructor(registry: Registry, now: { inFlight: () => number; backlog: () => Backlog }) {
    const registers = [registry];
    const watch = (name: string, help: string, read: () => number): void => {
      new Gauge({
        name,
        help,
        registers,
        collect() {
          this.set(read());
        },
      });
    };
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
    watch("florin_webhook_attempts_in_flight", "Attempts that wait for an answer.", now.inFlight);
    watch(
      "florin_webhook_events_waiting",
      "Events that enabled endpoints have still to come to, over all processes.",
      () => now.backlog().events,
    );
    watch(
      "florin_webhook_deliveries_waiting",
      "Deliveries that were begun and are not acknowledged, over all processes; counted up to 100,000.",
      () => now.backlog().deliveries,
    );
    new Gauge({
      name: "florin_webhook_endpoints",
      help: "Endpoints that take what they get, that fail, and that are off, over all processes.",
      labelNames: ["state"] as const,
      registers,
      collect() {
        for (const [state, count] of Object.entries(now.backlog().endpoints)) {
          this.set({ state }, count);
        }
      },
    });
  }

  observe(attempt: { isAcknowledged: boolean; nextAt: Date | null; durationMs: number }): void {
    const failure = attempt.nextAt === null ? "gave_up" : "failed";
    this.#attempts.inc({ outcome: attempt.isAcknowledged ? "acknowledged" : failure });
    this.#durations.observe(attempt.durationMs / 1000);
  }
}
