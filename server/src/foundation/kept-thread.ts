import { setTimeout as pause } from "node:timers/promises";
import { Worker, type WorkerOptions } from "node:worker_threads";
import { Channel } from "./channel.ts";
import type { FailureLog } from "./failure-log.ts";
import { within } from "./within.ts";

const REPLACE_AFTER_MS = 1_000;
/** A thread that gives no sign of life for so long hangs. */
const PATIENCE_MS = 30_000;
/** How often it is asked for one in that time. */
const PULSES = 6;

/** What every thread that is kept can be asked. */
export interface Kept {
  isThere(): boolean;
}

export interface KeptThreadOptions {
  name: string;
  /** What each one is given that begins. */
  dataNow(): WorkerOptions["workerData"];
  /** What it may ask of us. */
  ours: object;
  failures: FailureLog;
  patienceMs?: number;
}

interface Running<Functions> {
  worker: Worker;
  channel: Channel<Functions>;
  /** Why it ended, or will have. */
  problem: unknown;
}

/**
 * A thread beside the one that decides. It begins when it is wanted for the first time, since it takes memory. Should
 * it end or hang, another takes over, and nobody who asked it something is the worse for it.
 */
export class KeptThread<Functions extends Kept> {
  readonly #options: KeptThreadOptions;
  /** Its program, while it may run. */
  #file: string | undefined;
  #running: Running<Functions> | undefined;
  #replacement: NodeJS.Timeout | undefined;

  constructor(options: KeptThreadOptions) {
    this.#options = options;
  }

  /** From now on it may begin. */
  start(file: string): void {
    this.#file = file;
  }

  /** What joins us to the thread, if there is one. */
  get channel(): Channel<Functions> | undefined {
    return this.#running?.channel;
  }

  /** The same of one that is wanted; there is none for a moment after one has failed. */
  wanted(): Channel<Functions> | undefined {
    if (this.#replacement === undefined) this.wantedNow();
    return this.channel;
  }

  /** The same, also right after a failure. */
  wantedNow(): Channel<Functions> | undefined {
    if (this.#running === undefined) this.#begin();
    return this.channel;
  }

  /** Ends it for good, after it was asked to come to its own end. */
  async stop(ask: (channel: Channel<Functions>) => Promise<void>): Promise<void> {
    this.#file = undefined;
    clearTimeout(this.#replacement);
    this.#replacement = undefined;
    if (this.#running === undefined) return;
    const { worker, channel } = this.#running;
    try {
      await ask(channel);
    } finally {
      await worker.terminate();
    }
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

  #open(file: string): Running<Functions> {
    const { name, dataNow, ours } = this.#options;
    const worker = new Worker(file, { name, env: withoutKeys(), workerData: dataNow() });
    const running: Running<Functions> = {
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
  async #watch(running: Running<Functions>): Promise<void> {
    const { worker, channel } = running as Running<Kept>;
    const { failures, patienceMs = PATIENCE_MS } = this.#options;
    for (;;) {
      const isThere = within(patienceMs, channel.call("isThere"));
      const isAlive = await isThere.catch(() => false);
      // Also one that has just answered may have ended since.
      if (this.#running !== running) return;
      if (!isAlive) break;
      failures.worked();
      await pause(patienceMs / PULSES, undefined, { ref: false });
    }
    running.problem = new Error("It hung.");
    await worker.terminate();
  }

  #ended({ channel, problem }: Running<Functions>): void {
    this.#running = undefined;
    channel.close(new Error(`The thread '${this.#options.name}' has ended.`));
    this.#replace(problem);
  }

  #replace(problem: unknown): void {
    if (this.#file === undefined) return;
    this.#options.failures.failed(problem);
    this.#replacement = setTimeout(() => this.#begin(), REPLACE_AFTER_MS);
  }
}

/** Its keys stay with the service. */
function withoutKeys(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => !name.startsWith("FLORIN_"));
  return Object.fromEntries(kept);
}
