import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import { Channel } from "../../foundation/channel.ts";
import { FailureLog } from "../../foundation/failure-log.ts";
import { type Log, writeLine } from "../../foundation/log.ts";
import { within } from "../../foundation/within.ts";
import type { Reach } from "../../outbound/address.ts";
import type { FaultBoard, FaultKeeper } from "../../sandbox/faults/board.ts";
import type { Deliverer } from "./deliverer.ts";
import type { Candidate } from "./delivery.ts";
import type { Unseal } from "./targets.ts";

/** Longer than deliveries are waited for; a database that hangs may take longer. */
const STOP_PATIENCE_MS = 10_000;
const REPLACE_AFTER_MS = 1_000;
const PULSE_MS = 5_000;
/** A thread that gives no sign of life for so long hangs. */
const PATIENCE_MS = 30_000;
/** Whoever asks for something waits no longer. */
const ANSWER_MS = 2_000;
const FILE = "delivery-thread.js";

/** What the thread is given. */
export interface ThreadData {
  databaseUrl: string;
  reach: Reach;
  maxInHand: number;
  logLevel: string;
  clockOffsetMs: number;
  /** Whether deliveries may be made to fail. */
  isSandbox: boolean;
}

/** What the thread does when it is told to. */
export interface ThreadFunctions extends Pick<Deliverer, "notice" | "look" | "followClock"> {
  stop(): Promise<void>;
  /** As Prometheus reads them. */
  metrics(): Promise<string>;
  isThere(): boolean;
  setFault: FaultBoard["set"];
  clearFaults: FaultBoard["clear"];
  listFaults: FaultBoard["list"];
}

/** What the thread asks of its owner, who has the keys and the log. */
export interface OwnerFunctions {
  unseal(sealed: Uint8Array, place: string): Promise<Uint8Array>;
  log(line: string): void;
}

export interface DeliveryThreadOptions extends Omit<ThreadData, "logLevel" | "clockOffsetMs"> {
  unseal: Unseal;
  log: Log;
  /** Its program, unless it is the one of the build. */
  file?: string;
  patienceMs?: number;
}

interface Running {
  worker: Worker;
  channel: Channel<ThreadFunctions>;
  /** Why it ended, or will have. */
  problem: unknown;
}

/**
 * Sends deliveries in a thread of their own. What they cost is theirs then: a purchase does not wait while messages are
 * signed and sent. It begins when there is something to send for the first time, since it takes memory. Should it end
 * or hang, another takes over, and nobody else is the worse for it.
 */
export class DeliveryThread implements Deliverer {
  readonly #options: DeliveryThreadOptions;
  readonly #failures: FailureLog;
  /** Its program, while it may run. */
  #file: string | undefined;
  #running: Running | undefined;
  #replacement: NodeJS.Timeout | undefined;
  #offsetMs = 0;

  constructor(options: DeliveryThreadOptions) {
    this.#options = options;
    this.#failures = new FailureLog(
      options.log,
      "webhook-thread",
      "the thread that sends deliveries failed; another takes over",
    );
  }

  start(): void {
    this.#file = this.#options.file ?? findFile();
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

  async prepare(): Promise<void> {
    const there = this.#begun()?.call("isThere");
    if (there !== undefined) await within(ANSWER_MS, there).catch(() => undefined);
  }

  followClock(offsetMs: number): void {
    this.#offsetMs = offsetMs;
    this.#running?.channel.tell("followClock", offsetMs);
  }

  /** The faults that deliveries meet, if any are made here. */
  get faults(): FaultKeeper | undefined {
    // Whoever sets one waits for it: a failure is no reason to pause.
    if (this.#running === undefined) this.#begin();
    const channel = this.#running?.channel;
    return (
      channel && {
        set: (organizationId, fault) =>
          within(ANSWER_MS, channel.call("setFault", organizationId, fault)),
        clear: (organizationId) => within(ANSWER_MS, channel.call("clearFaults", organizationId)),
        list: (organizationId) => within(ANSWER_MS, channel.call("listFaults", organizationId)),
      }
    );
  }

  /** Nothing, where nothing is delivered. */
  async metrics(): Promise<string> {
    if (this.#running === undefined) return "";
    return within(ANSWER_MS, this.#running.channel.call("metrics")).catch(() => "");
  }

  async stop(): Promise<void> {
    this.#file = undefined;
    clearTimeout(this.#replacement);
    this.#replacement = undefined;
    if (this.#running === undefined) return;
    const { worker, channel } = this.#running;
    await within(STOP_PATIENCE_MS, channel.call("stop")).catch((error: unknown) =>
      this.#options.log.warn(
        { err: error },
        "the thread that sends deliveries did not stop by itself; what it had in hand is sent again",
      ),
    );
    await worker.terminate();
  }

  #begun(): Channel<ThreadFunctions> | undefined {
    if (this.#running === undefined && this.#replacement === undefined) this.#begin();
    return this.#running?.channel;
  }

  #begin(): void {
    clearTimeout(this.#replacement);
    this.#replacement = undefined;
    if (this.#file === undefined) return;
    try {
      this.#running = this.#open(this.#file);
      void this.#watch(this.#running);
    } catch (error) {
      // Of those who told it something, none is to hear that there are too many threads.
      this.#replace(error);
    }
  }

  #open(file: string): Running {
    const { databaseUrl, reach, maxInHand, isSandbox, unseal, log } = this.#options;
    const workerData: ThreadData = {
      databaseUrl,
      reach,
      maxInHand,
      isSandbox,
      logLevel: log.level,
      clockOffsetMs: this.#offsetMs,
    };
    const worker = new Worker(file, { name: "deliveries", env: withoutKeys(), workerData });
    const ours: OwnerFunctions = {
      // Copied: beside a small buffer there may lie others, and all would go over.
      unseal: async (sealed, place) => Uint8Array.from(await unseal(Buffer.from(sealed), place)),
      log: (line) => writeLine(log, line),
    };
    const running: Running = {
      worker,
      channel: new Channel(worker, ours),
      problem: new Error("It ended by itself."),
    };
    worker.on("error", (error) => {
      running.problem = error;
    });
    worker.on("exit", () => this.#ended(running));
    return running;
  }

  /** Ends a thread that hangs. */
  async #watch(running: Running): Promise<void> {
    const { worker, channel } = running;
    const patienceMs = this.#options.patienceMs ?? PATIENCE_MS;
    while (this.#running === running) {
      try {
        await within(patienceMs, channel.call("isThere"));
        this.#failures.worked();
        await pause(PULSE_MS, undefined, { ref: false });
      } catch {
        if (this.#running !== running) return;
        running.problem = new Error("It hung.");
        await worker.terminate();
      }
    }
  }

  #ended({ channel, problem }: Running): void {
    this.#running = undefined;
    channel.close(new Error("The thread that sends deliveries has ended."));
    this.#replace(problem);
  }

  #replace(problem: unknown): void {
    if (this.#file === undefined) return;
    this.#failures.failed(problem);
    this.#replacement = setTimeout(() => this.#begin(), REPLACE_AFTER_MS);
  }
}

/** Its keys stay with the service. */
function withoutKeys(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => !name.startsWith("FLORIN_"));
  return Object.fromEntries(kept);
}

/** The build leaves it beside the service; tests run from the sources. */
function findFile(from = dirname(fileURLToPath(import.meta.url))): string {
  const found = [join(from, FILE), join(from, "dist", FILE)].find(existsSync);
  if (found !== undefined) return found;
  if (from === dirname(from)) throw new Error(`${FILE} is missing: Florin was not built.`);
  return findFile(dirname(from));
}
