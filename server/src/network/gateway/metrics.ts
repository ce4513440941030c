import { Counter, Gauge, type Registry } from "prom-client";
import { SeriesHistogram } from "../../http/series-histogram.ts";

/** What a peer has under way. */
export interface Load {
  peer: string;
  connections: number;
  inFlight: number;
}

/** What operators watch of the card network, by peer. */
export class GatewayMetrics {
  readonly #durations: SeriesHistogram;
  readonly #refused: Counter;

  constructor(registry: Registry, loads: () => Load[]) {
    this.#durations = new SeriesHistogram(
      registry,
      "florin_network_message_duration_seconds",
      "Time from a card network message to its answer, by peer, message type and DE 39; none: not answered.",
    );
    this.#refused = new Counter({
      name: "florin_network_refused_connections_total",
      help: "Connections of nobody who may send messages, or of a peer that has too many.",
      registers: [registry],
    });
    watch(registry, loads, "connections", "Open connections of a peer.");
    watch(registry, loads, "in_flight", "Messages of a peer that are under way.");
  }

  /** Types that are not spoken come as `other`, so that nobody can make up series. */
  observe(peer: string, mti: string, response: string, durationMs: number): void {
    const labels = () => ({ peer, mti, response });
    this.#durations.observe(`${peer} ${mti} ${response}`, labels, durationMs);
  }

  observeRefusedConnection(): void {
    this.#refused.inc();
  }
}

function watch(
  registry: Registry,
  loads: () => Load[],
  what: "connections" | "in_flight",
  help: string,
): void {
  new Gauge({
    name: `florin_network_${what}`,
    help,
    labelNames: ["peer"] as const,
    registers: [registry],
    collect() {
      this.reset();
      for (const { peer, connections, inFlight } of loads()) {
        this.set({ peer }, what === "connections" ? connections : inFlight);
      }
    },
  });
}
