import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import { Channel } from "../../foundation/channel.ts";
import { type Log, writeLine } from "../../foundation/log.ts";
import { within } from "../../foundation/within.ts";
import type { Reach } from "../../outbound/address.ts";
import type { FaultBoard, KeepsFaults } from "../../sandbox/faults/board.ts";
import type { Deliverer, Delivers } from "./deliverer.ts";
import type { Candidate } from "./delivery.ts";
import type { Unseal } from "./targets.ts";

/** Longer than it takes to stop, at the longest. */
const STOP_PATIENCE_MS = 10_000;
const REPLACE_AFTER_MS = 1_000;
const FILE = "delivery-thread.js";

/** What the thread is given. */
export interface ThreadData {
  databaseUrl: string;
  reach: Reach;
  maxInHand: number;
  logLevel: string;
  /** Whether deliveries may be made to fail. */
  isSandbox: boolean;
}

/** What the thread does when it is told to. */
export interface ThreadFunctions extends Pick<Deliverer, "notice" | "look" | "followClock"> {
  stop(): Promise<void>;
  /** As Prometheus reads them. */
  metrics(): Promise<string>;
  setFault: FaultBoard["set"];
  clearFaults: FaultBoard["clear"];
  listFaults: FaultBoard["list"];
}

/** What the thread asks of its owner, who has the keys and the log. */
export interface OwnerFunctions {
  unseal(sealed: Uint8Array, place: string): Promise<Uint8Array>;
  log(line: string): void;
}

export interface DeliveryThreadOptions extends Omit<ThreadData, "logLevel"> {
  unseal: Unseal;
  log: Log;
}

interface Running {
  worker: Worker;
  channel: Channel<ThreadFunctions>;
}

/**
 * Sends deliveries in a thread of their own. What they cost is theirs then: a purchase does not wait while messages are
 * signed and sent. It begins when there is something to send for the first time, since it takes memory. Should it end,
 * another takes over.
 */
export class DeliveryThread implements Delivers {
  readonly #options: DeliveryThreadOptions;
  #mayRun = false;
  #running: Running | undefined;
  #replacement: NodeJS.Timeout | undefined;
  #offsetMs = 0;

  constructor(options: DeliveryThreadOptions) {
    this.#options = options;
  }

  start(): void {
    this.#mayRun = true;
  }

  get isAtWork(): boolean {
    return this.#running !== undefined;
  }

  notice(candidates: Candidate[]): void {
    this.#begun()?.tell("notice", candidates);
  }

  look(): void {
    this.#begun()?.tell("look");
  }

  followClock(offsetMs: number): void {
    this.#offsetMs = offsetMs;
    this.#running?.channel.tell("followClock", offsetMs);
  }

  /** The faults that deliveries meet, if any are made here. */
  get faults(): KeepsFaults | undefined {
    const channel = this.#begun();
    return (
      channel && {
        set: (organizationId, fault) => channel.call("setFault", organizationId, fault),
        clear: (organizationId) => channel.call("clearFaults", organizationId),
        list: (organizationId) => channel.call("listFaults", organizationId),
      }
    );
  }

  /** Nothing, where nothing is delivered. */
  async metrics(): Promise<string> {
    return (await this.#running?.channel.call("metrics").catch(() => "")) ?? "";
  }

  async stop(): Promise<void> {
    this.#mayRun = false;
    clearTimeout(this.#replacement);
    if (this.#running === undefined) return;
    const { worker, channel } = this.#running;
    await within(STOP_PATIENCE_MS, channel.call("stop")).catch(() => undefined);
    await worker.terminate();
  }

  #begun(): Channel<ThreadFunctions> | undefined {
    if (this.#running === undefined && this.#replacement === undefined && this.#mayRun)
      this.#begin();
    return this.#running?.channel;
  }

  #begin(): void {
    const { unseal, log, ...data } = this.#options;
    const workerData: ThreadData = { ...data, logLevel: log.level };
    const worker = new Worker(findFile(), { name: "deliveries", workerData });
    const ours: OwnerFunctions = {
      unseal: (sealed, place) => unseal(Buffer.from(sealed), place),
      log: (line) => writeLine(log, line),
    };
    const channel = new Channel<ThreadFunctions>(worker, ours);
    this.#running = { worker, channel };
    this.#replacement = undefined;
    channel.tell("followClock", this.#offsetMs);
    worker.on("error", (error) =>
      log.error({ err: error }, "the thread that sends deliveries failed; another takes over"),
    );
    worker.on("exit", () => this.#ended(channel));
  }

  #ended(channel: Channel<ThreadFunctions>): void {
    this.#running = undefined;
    channel.close(new Error("The thread that sends deliveries has ended."));
    if (this.#mayRun) this.#replacement = setTimeout(() => this.#begin(), REPLACE_AFTER_MS);
  }
}

/** The build leaves it beside the service; tests run from the sources. */
function findFile(from = dirname(fileURLToPath(import.meta.url))): string {
  const found = [join(from, FILE), join(from, "dist", FILE)].find(existsSync);
  if (found !== undefined) return found;
  if (from === dirname(from)) throw new Error(`${FILE} is missing: Florin was not built.`);
  return findFile(dirname(from));
}
