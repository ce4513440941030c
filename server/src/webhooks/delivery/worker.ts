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
import { Dispatcher } from "./dispatcher.ts";
import { type DeliveryFaults, noFaults } from "./faults.ts";
import { DeliveryMetrics } from "./metrics.ts";
import { MAX_LIMIT } from "./queue.ts";
import { Relay } from "./relay.ts";
import { ResultRecorder } from "./result-recorder.ts";
import { Retention } from "./retention.ts";
import { releaseDeadSeats, WorkerSeat } from "./seat.ts";
import { deleteOrphans, disableFailing } from "./sweep.ts";
import { Targets } from "./targets.ts";

const SWEEP_MS = 1_000;
/** As often as metrics are commonly asked for. */
const MEASURE_MS = 15_000;
/** A little longer than deliveries are waited for. */
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
  /** Deliveries that may be in hand at once. */
  maxInHand: number;
  faults?: DeliveryFaults;
}

/** What carries events from their commit to their receivers, put together. */
export class WebhookWorker {
  readonly agent: GuardedAgent;
  readonly targets: Targets;
  readonly relay: Relay;
  readonly #dispatcher: Dispatcher;
  readonly #recorder: ResultRecorder;
  readonly #sweeper: Pump;
  readonly #surveyor: Pump;
  readonly #retention: Retention;
  readonly #seat: WorkerSeat;
  readonly #lanes: Lane[];
  #backlog = noBacklog;

  constructor(options: WebhookWorkerOptions) {
    const { databaseUrl, pool, vault, clock, feed, log, registry, reach, maxInHand } = options;
    const open = (name: string, durable: boolean): Lane =>
      new Lane({ connectionString: databaseUrl, name: `webhooks-${name}`, durable });
    const [relayLane, claimLane, resultLane] = [
      open("relay", true),
      open("claims", false),
      open("results", true),
    ];
    this.#lanes = [relayLane, claimLane, resultLane];
    this.agent = new GuardedAgent({ reach, connectionsPerPool: MAX_LIMIT });
    this.targets = new Targets(vault, clock);
    this.#seat = new WorkerSeat(databaseUrl);
    this.#recorder = new ResultRecorder({ lane: resultLane, clock, log, maxInHand });
    this.#dispatcher = new Dispatcher({
      lane: claimLane,
      seat: this.#seat,
      agent: this.agent,
      targets: this.targets,
      recorder: this.#recorder,
      clock,
      faults: options.faults ?? noFaults,
      metrics: new DeliveryMetrics(registry, {
        inFlight: () => this.#dispatcher.inFlight,
        backlog: () => this.#backlog,
      }),
      log,
      maxInHand,
    });
    this.relay = new Relay({
      lane: relayLane,
      log,
      onNews: (candidates) => this.#dispatcher.notice(candidates),
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
    // What was to be tried later may be due now.
    feed.on("clockOffsetMs", () => this.#dispatcher.look());
  }

  start(): void {
    this.relay.start();
    this.#dispatcher.start();
    this.#sweeper.start();
    this.#surveyor.start();
  }

  /** Where another process delivers: only gives events their positions, for those who read them here. */
  standBy(): void {
    this.relay.standBy();
  }

  /** Waits a moment for what is under way; a database that does not answer is not waited for. */
  async stop(): Promise<void> {
    const deadline = setTimeout(() => {
      this.#recorder.giveUp();
      for (const lane of this.#lanes) void lane.abandon();
    }, DRAIN_MS);
    await Promise.all([
      this.#sweeper.stop(),
      this.#surveyor.stop(),
      this.relay.stop(),
      this.#dispatcher.stop(),
    ]);
    clearTimeout(deadline);
    await this.agent.stop();
    await this.#seat.leave();
    await Promise.all(this.#lanes.map((lane) => lane.close()));
  }

  /** Something has changed that deliveries follow from. */
  look(): void {
    this.#dispatcher.look();
  }

  async #sweep(deps: { pool: Pool; clock: Clock; log: Log }): Promise<boolean> {
    if ((await releaseDeadSeats(deps.pool)) > 0) this.#dispatcher.look();
    if ((await disableFailing(deps)) > 0) this.relay.nudge();
    const hasOrphans = await deleteOrphans(deps.pool);
    return (await this.#retention.step()) || hasOrphans;
  }
}
