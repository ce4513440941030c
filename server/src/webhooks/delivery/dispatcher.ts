import type { Lane } from "../../db/lane.ts";
import type { Clock } from "../../foundation/clock.ts";
import type { Log } from "../../foundation/log.ts";
import { Pump } from "../../jobs/pump.ts";
import type { GuardedAgent } from "../../outbound/agent.ts";
import { describeOpeningEvent } from "../../transactions/opening-event.ts";
import { completeEvents } from "../events/complete-events.ts";
import { Agenda } from "./agenda.ts";
import type { AttemptMetrics } from "./attempt-metrics.ts";
import { resultOf } from "./attempt-result.ts";
import { type ClaimedRow, findBusy, findTargets, type TargetRow } from "./claim-store.ts";
import {
  ATTEMPT_TIMEOUT_MS,
  type Candidate,
  type Delivery,
  type EndpointKey,
  LEASE_MS,
} from "./delivery.ts";
import { type Fate, fateOf } from "./fate.ts";
import type { DeliveryFaults, HeldBack } from "./faults.ts";
import { type Claimed, divide, EndpointQueue, freeOf } from "./queue.ts";
import type { ResultRecorder } from "./result-recorder.ts";
import { bringForward, holdBack, release } from "./result-store.ts";
import type { WorkerSeat } from "./seat.ts";
import { send } from "./sender.ts";
import type { Target, Targets } from "./targets.ts";

/** How often endpoints are looked through for work that nobody has told us of. */
const LOOK_MS = 500;
const GAP_MS = 2;
/** An attempt begins only while its lease outlasts it, with time to record it. */
const MAX_WAIT_MS = LEASE_MS - ATTEMPT_TIMEOUT_MS - 5_000;
/** How long a stop waits for answers. */
const DRAIN_MS = 4_000;
const MAX_SUSPECTS = 10_000;

export interface DispatcherOptions {
  /** Taking deliveries need not wait for the disk: lost with the machine, they are taken again. */
  lane: Lane;
  seat: WorkerSeat;
  agent: GuardedAgent;
  targets: Targets;
  recorder: ResultRecorder;
  clock: Clock;
  faults: DeliveryFaults;
  metrics: AttemptMetrics;
  log: Log;
  /** Deliveries that may be in hand at once. */
  maxInHand: number;
}

/** Takes deliveries, as many as there is room for, sends them, and has the results recorded. */
export class Dispatcher {
  readonly #options: DispatcherOptions;
  readonly #pump: Pump;
  readonly #agenda = new Agenda();
  readonly #queues = new Map<string, EndpointQueue>();
  /** Endpoints without a queue whose last answer was bad or slow; the database knows only of the bad ones. */
  readonly #suspects = new Set<string>();
  readonly #sending = new Set<Promise<void>>();
  #lookAtMs = Number.NEGATIVE_INFINITY;
  #isStopping = false;

  constructor(options: DispatcherOptions) {
    this.#options = options;
    this.#pump = new Pump({
      name: "webhook-deliveries",
      step: () => this.#takeMore(),
      restMs: LOOK_MS,
      gapMs: GAP_MS,
      log: options.log,
    });
  }

  /** Deliveries that are being sent at this moment. */
  get inFlight(): number {
    return this.#sending.size;
  }

  start(): void {
    this.#pump.start();
  }

  /** Takes nothing more, waits a moment for answers, and gives back what was not sent. */
  async stop(): Promise<void> {
    const { agent, recorder } = this.#options;
    this.#isStopping = true;
    await this.#pump.stop();
    const unsent = [...this.#queues.values()].flatMap((queue) => queue.clear());
    await this.#release(unsent.map(({ delivery }) => delivery));
    const deadline = setTimeout(() => void agent.stop(), DRAIN_MS);
    await Promise.all(this.#sending);
    clearTimeout(deadline);
    await recorder.drain();
  }

  /** These endpoints have new events. */
  notice(candidates: readonly Candidate[]): void {
    for (const candidate of candidates) this.#agenda.addFresh(candidate);
    this.#pump.wake();
  }

  /** Looks at once through everything, as when time was moved. */
  look(): void {
    this.#lookAtMs = Number.NEGATIVE_INFINITY;
    this.#pump.wake();
  }

  async #takeMore(): Promise<boolean> {
    const { lane, clock } = this.#options;
    if (performance.now() - this.#lookAtMs >= LOOK_MS) {
      this.#lookAtMs = performance.now();
      const [busy] = await lane.send([findBusy(clock.now())]);
      this.#agenda.add(busy?.rows ?? []);
    }
    const rooms = this.#divideRoom();
    if (rooms.length > 0) await this.#claim(rooms);
    return false;
  }

  #divideRoom(): { key: EndpointKey; room: number }[] {
    const free = freeOf(this.#options.maxInHand, [...this.#queues.values()]);
    const queues = this.#agenda
      .candidates()
      .map((candidate) => this.#queueOf(candidate, candidate.isFailing));
    return [...divide(queues, free)].map(([{ key }, room]) => ({ key, room }));
  }

  async #claim(rooms: { key: EndpointKey; room: number }[]): Promise<void> {
    const { lane, seat, clock } = this.#options;
    const workerId = await seat.workerId();
    const claimedAtMs = performance.now();
    const questions = this.#agenda.questionsFor(rooms, workerId, clock.now());
    const results = await lane.send([
      ...questions.map(({ statement }) => statement),
      findTargets(rooms.map(({ key }) => key)),
    ]);
    const targets = await this.#openTargets((results.at(-1)?.rows ?? []) as TargetRow[]);
    const taken: (ClaimedRow & Delivery)[] = [];
    for (const [index, { asked }] of questions.entries()) {
      const rows = (results[index]?.rows ?? []) as ClaimedRow[];
      this.#agenda.found(asked, rows);
      taken.push(...rows.filter(isDelivery));
    }
    for (const delivery of await this.#completed(taken)) {
      // An endpoint that is gone has no target, and soon no deliveries.
      const target = targets.get(delivery.webhookEndpointId);
      if (target !== undefined) this.#queueOf(delivery).add({ delivery, target, claimedAtMs });
    }
    for (const { key } of rooms) this.#goOn(this.#queueOf(key));
  }

  /** Adds the payments that events begin; if these cannot be read, releases what was taken for a later look. */
  async #completed(taken: (ClaimedRow & Delivery)[]): Promise<Delivery[]> {
    try {
      return await completeEvents(
        taken,
        async (statement) => (await this.#options.lane.send([statement]))[0]?.rows ?? [],
        (row, payment) => {
          const event = { createdAt: row.createdAt, data: JSON.parse(row.dataJson) };
          return { ...row, dataJson: JSON.stringify(describeOpeningEvent(payment, event)) };
        },
      );
    } catch (error) {
      await this.#release(taken);
      throw error;
    }
  }

  async #openTargets(rows: TargetRow[]): Promise<Map<string, Target>> {
    const { targets, log } = this.#options;
    const opened = new Map<string, Target>();
    for (const row of rows) {
      const { webhookEndpointId } = row;
      try {
        opened.set(webhookEndpointId, await targets.open(row));
      } catch (error) {
        // Its own deliveries wait for their leases to end; nobody else's do.
        log.error({ err: error, webhookEndpointId }, "the secret of an endpoint cannot be opened");
      }
    }
    return opened;
  }

  #queueOf(key: EndpointKey, isSuspect = false): EndpointQueue {
    const { organizationId, webhookEndpointId } = key;
    let queue = this.#queues.get(webhookEndpointId);
    if (queue === undefined) {
      const wasSuspect = this.#suspects.delete(webhookEndpointId);
      queue = new EndpointQueue({ organizationId, webhookEndpointId }, isSuspect || wasSuspect);
      this.#queues.set(webhookEndpointId, queue);
    }
    return queue;
  }

  #sendMore(queue: EndpointQueue): void {
    for (let next = queue.next(); next !== undefined; next = queue.next()) {
      const sending = this.#deliver(queue, next).finally(() => {
        this.#sending.delete(sending);
        if (!this.#isStopping) this.#goOn(queue);
      });
      this.#sending.add(sending);
    }
  }

  #goOn(queue: EndpointQueue): void {
    this.#sendMore(queue);
    if (this.#agenda.has(queue.key)) {
      if (queue.isLow) this.#pump.wake();
    } else if (queue.inHand === 0) {
      this.#forget(queue);
    }
  }

  #forget(queue: EndpointQueue): void {
    const { key, isSuspect } = queue;
    const { webhookEndpointId } = key;
    if (this.#queues.get(webhookEndpointId) !== queue) return;
    this.#queues.delete(webhookEndpointId);
    if (!isSuspect) return;
    this.#suspects.add(webhookEndpointId);
    const [oldest] = this.#suspects;
    if (this.#suspects.size > MAX_SUSPECTS && oldest !== undefined) this.#suspects.delete(oldest);
  }

  async #deliver(queue: EndpointQueue, claimed: Claimed): Promise<void> {
    const { recorder, metrics, clock, log } = this.#options;
    const { delivery } = claimed;
    const at = clock.now();
    try {
      const fate = await this.#attempt(claimed);
      if (fate === "Release" || "heldBackMs" in fate) {
        queue.done();
        return fate === "Release" ? this.#release([delivery]) : this.#holdBack(delivery, fate);
      }
      const result = resultOf(delivery, fate, { at, now: clock.now(), random: Math.random() });
      metrics.observe(result);
      queue.done(result);
      void recorder.record(result).then(() => this.#recorded(queue));
    } catch (error) {
      queue.done();
      log.error({ err: error, eventId: delivery.eventId }, "a delivery could not be attempted");
    }
  }

  #recorded(queue: EndpointQueue): void {
    queue.recorded();
    if (!this.#isStopping) this.#goOn(queue);
  }

  async #attempt({ delivery, target, claimedAtMs }: Claimed): Promise<Fate> {
    const { agent, faults } = this.#options;
    if (performance.now() - claimedAtMs > MAX_WAIT_MS) return "Release";
    return fateOf(await faults(delivery, () => send(agent, target, delivery)));
  }

  /** Should this fail, it is free when its lease is over. */
  async #holdBack(delivery: Delivery, { heldBackMs, sooner }: HeldBack): Promise<void> {
    const { lane, seat, clock, log } = this.#options;
    const until = new Date(clock.nowMs() + heldBackMs);
    try {
      await lane.send([holdBack(delivery, await seat.workerId(), until)]);
    } catch (error) {
      log.warn(
        { err: error },
        "a delivery could not be held back; it is tried when its lease is over",
      );
    }
    void sooner?.then(() => this.#bringForward(delivery, until));
  }

  /** Should this fail, it comes when it would have come. */
  async #bringForward(delivery: Delivery, heldUntil: Date): Promise<void> {
    const { lane, clock, log } = this.#options;
    if (this.#isStopping) return;
    try {
      await lane.send([bringForward(delivery, heldUntil, clock.now())]);
      this.look();
    } catch (error) {
      log.warn(
        { err: error },
        "a delivery could not be brought forward; it is tried when it was due",
      );
    }
  }

  /** Should this fail, they are free when their leases are over. */
  async #release(deliveries: readonly Delivery[]): Promise<void> {
    if (deliveries.length === 0) return;
    const { lane, seat, log } = this.#options;
    try {
      await lane.send([release(deliveries, await seat.workerId())]);
    } catch (error) {
      log.warn(
        { err: error },
        "unsent deliveries could not be released; they are tried when their leases are over",
      );
    }
  }
}

/** Without a message it was nothing for this endpoint. */
function isDelivery(row: ClaimedRow): row is ClaimedRow & Delivery {
  return row.eventType !== null;
}
