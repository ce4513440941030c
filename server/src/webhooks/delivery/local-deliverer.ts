import type { Registry } from "prom-client";
import { Lane } from "../../db/lane.ts";
import type { ServiceClock } from "../../foundation/clock.ts";
import type { Log } from "../../foundation/log.ts";
import type { Reach } from "../../outbound/address.ts";
import { GuardedAgent } from "../../outbound/agent.ts";
import { AttemptMetrics } from "./attempt-metrics.ts";
import type { Deliverer } from "./deliverer.ts";
import type { Candidate } from "./delivery.ts";
import { Dispatcher } from "./dispatcher.ts";
import { type DeliveryFaults, noFaults } from "./faults.ts";
import { MAX_LIMIT } from "./queue.ts";
import { ResultRecorder } from "./result-recorder.ts";
import { WorkerSeat } from "./seat.ts";
import { Targets, type Unseal } from "./targets.ts";

/** A little longer than deliveries are waited for. */
const DRAIN_MS = 6_000;

export interface LocalDelivererOptions {
  databaseUrl: string;
  unseal: Unseal;
  clock: ServiceClock;
  log: Log;
  registry: Registry;
  reach: Reach;
  /** Deliveries that may be in hand at once. */
  maxInHand: number;
  faults?: DeliveryFaults;
}

/** Sends deliveries in this thread and records what came of them: all that takes, put together. */
export class LocalDeliverer implements Deliverer {
  readonly isAtWork = true;
  readonly #clock: ServiceClock;
  readonly #agent: GuardedAgent;
  readonly #seat: WorkerSeat;
  readonly #recorder: ResultRecorder;
  readonly #dispatcher: Dispatcher;
  readonly #lanes: Lane[];

  constructor(options: LocalDelivererOptions) {
    const { databaseUrl, unseal, clock, log, registry, reach, maxInHand } = options;
    const open = (name: string, durable: boolean): Lane =>
      new Lane({ connectionString: databaseUrl, name: `webhooks-${name}`, durable });
    const [claimLane, resultLane] = [open("claims", false), open("results", true)];
    this.#lanes = [claimLane, resultLane];
    this.#clock = clock;
    // A fault may send each delivery twice at the same moment.
    const connectionsPerPool = options.faults === undefined ? MAX_LIMIT : 2 * MAX_LIMIT;
    this.#agent = new GuardedAgent({ reach, connectionsPerPool });
    this.#seat = new WorkerSeat(databaseUrl);
    this.#recorder = new ResultRecorder({ lane: resultLane, clock, log, maxInHand });
    this.#dispatcher = new Dispatcher({
      lane: claimLane,
      seat: this.#seat,
      agent: this.#agent,
      targets: new Targets(unseal, clock),
      recorder: this.#recorder,
      clock,
      faults: options.faults ?? noFaults,
      metrics: new AttemptMetrics(registry, () => this.#dispatcher.inFlight),
      log,
      maxInHand,
    });
  }

  start(): void {
    this.#dispatcher.start();
  }

  notice(candidates: Candidate[]): void {
    this.#dispatcher.notice(candidates);
  }

  look(): void {
    this.#dispatcher.look();
  }

  async prepare(): Promise<void> {}

  followClock(offsetMs: number): void {
    this.#clock.follow(offsetMs);
    this.#dispatcher.look();
  }

  async stop(): Promise<void> {
    const deadline = setTimeout(() => {
      this.#recorder.giveUp();
      for (const lane of this.#lanes) void lane.abandon();
    }, DRAIN_MS);
    await this.#dispatcher.stop();
    clearTimeout(deadline);
    await this.#agent.stop();
    await this.#seat.leave();
    await Promise.all(this.#lanes.map((lane) => lane.close()));
  }
}
