import type { Registry } from "prom-client";
import { Lane } from "../../db/lane.ts";
import type { Pool } from "../../db/pool.ts";
import type { SharedStateFeed } from "../../db/shared-state.ts";
import type { Clock } from "../../foundation/clock.ts";
import type { Log } from "../../foundation/log.ts";
import { Pump } from "../../jobs/pump.ts";
import type { Vault } from "../../keys/vault.ts";
import type { Reach } from "../../outbound/address.ts";
import { GuardedAgent } from "../../outbound/agent.ts";
import { measureBacklog, noBacklog } from "./backlog.ts";
import { watchBacklog } from "./backlog-metrics.ts";
import type { Deliverer } from "./deliverer.ts";
import { MAX_LIMIT } from "./queue.ts";
import { Relay } from "./relay.ts";
import { Retention } from "./retention.ts";
import { releaseDeadSeats } from "./seat.ts";
import { deleteOrphans, disableFailing, hasEndpoints } from "./sweep.ts";
import { Targets } from "./targets.ts";

const SWEEP_MS = 1_000;
/** As often as metrics are commonly asked for. */
const MEASURE_MS = 15_000;
/** How long a stop waits for the relay's database. */
const DRAIN_MS = 6_000;

export interface WebhookWorkerOptions {
  databaseUrl: string;
  pool: Pool;
  vault: Vault;
  clock: Clock;
  feed: SharedStateFeed;
  log: Log;
  registry: Registry;
  reach: Reach;
  deliverer: Deliverer;
}

/** What carries events from their commit to whoever sends them, put together. */
export class WebhookWorker {
  /** For test messages: they wait for no delivery, nor does any for them. */
  readonly agent: GuardedAgent;
  readonly targets: Targets;
  readonly relay: Relay;
  readonly #deliverer: Deliverer;
  readonly #sweeper: Pump;
  readonly #surveyor: Pump;
  readonly #retention: Retention;
  readonly #relayLane: Lane;
  #backlog = noBacklog;

  constructor(options: WebhookWorkerOptions) {
    const { databaseUrl, pool, vault, clock, feed, log, registry, reach, deliverer } = options;
    this.#deliverer = deliverer;
    this.#relayLane = new Lane({
      connectionString: databaseUrl,
      name: "webhooks-relay",
      durable: true,
    });
    this.agent = new GuardedAgent({ reach, connectionsPerPool: MAX_LIMIT });
    this.targets = new Targets((sealed, place) => vault.unseal(sealed, place), clock);
    this.relay = new Relay({
      lane: this.#relayLane,
      log,
      onNews: (candidates) => deliverer.notice(candidates),
    });
    this.#retention = new Retention({ pool, clock });
    this.#sweeper = new Pump({
      name: "webhook-sweep",
      step: () => this.#sweep({ pool, clock, log }),
      restMs: SWEEP_MS,
      gapMs: SWEEP_MS / 10,
      log,
    });
    this.#surveyor = new Pump({
      name: "webhook-backlog",
      step: async () => {
        this.#backlog = await measureBacklog(pool);
        return false;
      },
      restMs: MEASURE_MS,
      gapMs: MEASURE_MS,
      log,
    });
    watchBacklog(registry, () => this.#backlog);
    feed.on("clockOffsetMs", (offsetMs) => deliverer.followClock(offsetMs));
  }

  start(): void {
    this.#deliverer.start();
    this.relay.start();
    this.#sweeper.start();
    this.#surveyor.start();
  }

  /** Where another process delivers: only gives events their positions, for those who read them here. */
  standBy(): void {
    this.relay.standBy();
  }

  /** Waits a moment for what is under way; a database that does not answer is not waited for. */
  async stop(): Promise<void> {
    const deadline = setTimeout(() => void this.#relayLane.abandon(), DRAIN_MS);
    await Promise.all([
      this.#sweeper.stop(),
      this.#surveyor.stop(),
      this.relay.stop(),
      this.#deliverer.stop(),
    ]);
    clearTimeout(deadline);
    await this.agent.stop();
    await this.#relayLane.close();
  }

  /** Something has changed that deliveries follow from. */
  look(): void {
    this.#deliverer.look();
  }

  /** An endpoint is there now: its first event should not wait for what sends it to begin. */
  prepare(): Promise<void> {
    return this.#deliverer.prepare();
  }

  async #sweep(deps: { pool: Pool; clock: Clock; log: Log }): Promise<boolean> {
    if ((await releaseDeadSeats(deps.pool)) > 0) this.#deliverer.look();
    if (!this.#deliverer.isAtWork && (await hasEndpoints(deps.pool))) this.#deliverer.look();
    if ((await disableFailing(deps)) > 0) this.relay.nudge();
    const hasOrphans = await deleteOrphans(deps.pool);
    return (await this.#retention.step()) || hasOrphans;
  }
}
