import { Gauge, type Registry } from "prom-client";
import type { Backlog } from "./backlog.ts";

/** Shows operators what waits, over all processes. */
export function watchBacklog(registry: Registry, backlog: () => Backlog): void {
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
  watch(
    "florin_webhook_events_waiting",
    "Events that enabled endpoints have still to come to, over all processes.",
    () => backlog().events,
  );
  watch(
    "florin_webhook_deliveries_waiting",
    "Deliveries that were begun and are not acknowledged, over all processes; counted up to 100,000.",
    () => backlog().deliveries,
  );
  new Gauge({
    name: "florin_webhook_endpoints",
    help: "Endpoints that take what they get, that fail, and that are off, over all processes.",
    labelNames: ["state"] as const,
    registers,
    collect() {
      for (const [state, count] of Object.entries(backlog().endpoints)) this.set({ state }, count);
    },
  });
}
