import type { FastifyInstance, FastifyRequest } from "fastify";
import { collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import { sameSecret } from "../foundation/keyring.ts";
import { OPEN_PAGE } from "./open-page.ts";
import { RequestMetrics } from "./request-metrics.ts";
import { BUCKETS_S } from "./series-histogram.ts";

/** What operators watch. */
export class Metrics {
  readonly registry = new Registry();
  readonly requests = new RequestMetrics(this.registry);
  /** Of other threads, which keep their own. */
  readonly #others: (() => Promise<string>)[] = [];
  readonly #batchSizes = new Histogram({
    name: "florin_engine_batch_size",
    help: "Operations per committed batch.",
    labelNames: ["engine"] as const,
    buckets: [1, 2, 4, 8, 16, 32, 64],
    registers: [this.registry],
  });
  readonly #batchDurations = new Histogram({
    name: "florin_engine_batch_duration_seconds",
    help: "Time from the start of a batch to its commit.",
    labelNames: ["engine"] as const,
    buckets: BUCKETS_S,
    registers: [this.registry],
  });

  constructor() {
    collectDefaultMetrics({ register: this.registry });
  }

  /** Adds what another thread has to tell, in the same format. */
  add(other: () => Promise<string>): void {
    this.#others.push(other);
  }

  async text(): Promise<string> {
    const all = [this.registry.metrics(), ...this.#others.map((other) => other())];
    return (await Promise.all(all)).join("\n");
  }

  observeBatch(engine: string, size: number, durationMs: number): void {
    this.#batchSizes.observe({ engine }, size);
    this.#batchDurations.observe({ engine }, durationMs / 1000);
  }

  watchQueue(engine: string, queued: () => number): void {
    new Gauge({
      name: `florin_${engine}_queued`,
      help: "Operations that wait for a lane.",
      registers: [this.registry],
      collect() {
        this.set(queued());
      },
    });
  }
}

/** Serves the metrics: to everyone in a sandbox, elsewhere to whoever has the token; where none is set, to loopback. */
export function metricsRoute(
  app: FastifyInstance,
  metrics: Metrics,
  access: { open: boolean; token: string | undefined },
): void {
  app.get("/metrics", OPEN_PAGE, async (request, reply) => {
    const { authorization = "" } = request.headers;
    const knowsToken =
      access.token !== undefined && sameSecret(authorization, `Bearer ${access.token}`);
    if (!access.open && !knowsToken && !(access.token === undefined && isLocal(request))) {
      return reply.code(403).send({ message: "The metrics need a bearer token." });
    }
    return reply.type(metrics.registry.contentType).send(await metrics.text());
  });
}

/** Whether the caller is on this machine, and not a proxy here that passes on somebody else's request. */
function isLocal({ socket, headers }: FastifyRequest): boolean {
  const isForwarded = "x-forwarded-for" in headers || "forwarded" in headers;
  return !isForwarded && /^(::1|(::ffff:)?127\.)/.test(socket.remoteAddress ?? "");
}
