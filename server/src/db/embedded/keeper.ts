import { setTimeout as sleep } from "node:timers/promises";
import { explain, inItsWords } from "./error.ts";
import { readLogFrom, sizeOf } from "./log-file.ts";
import { isAlive } from "./process.ts";
import type { Server } from "./server.ts";
import type { Site } from "./site.ts";

const LOOK_MS = 1_000;
const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 30_000;
const TELL_MS = 60_000;

/**
 * Has the server started again whenever it ends without our doing: its disk was full, or somebody killed
 * it. It looks for the process instead of waiting for a child, because another of its users may have started it.
 */
export class Keeper {
  readonly #site: Site;
  readonly #revive: (signal: AbortSignal) => Promise<Server>;
  readonly #end = new AbortController();
  readonly #work: Promise<void>;
  #server: Server;
  #runsSinceMs = performance.now();
  #waitMs = 0;

  /** `revive` finds the server that another user has started, or starts one. */
  constructor(site: Site, server: Server, revive: (signal: AbortSignal) => Promise<Server>) {
    this.#site = site;
    this.#server = server;
    this.#revive = revive;
    this.#work = this.#keep();
  }

  /** Afterwards nothing is started any more; a start under way is broken off. */
  async stop(): Promise<void> {
    this.#end.abort();
    await this.#work;
  }

  async #keep(): Promise<void> {
    while (!this.#isOver) {
      const output = await this.#lastWords();
      if (this.#isOver) return;
      const { dataDir, logFile, log } = this.#site;
      const reason = inItsWords(dataDir, output, logFile);
      log(`The embedded database has ended and will be started again; ${reason}`, "error");
      await this.#startAgain();
    }
  }

  /** What the server said within the second in which it ended. */
  async #lastWords(): Promise<string> {
    const { logFile } = this.#site;
    let before = await sizeOf(logFile);
    await this.#pause(LOOK_MS);
    while (!this.#isOver && isAlive(this.#server.process)) {
      before = await sizeOf(logFile);
      // One that ends again soon after each start is given more and more time, too.
      if (performance.now() - this.#runsSinceMs > LONGEST_WAIT_MS) this.#waitMs = 0;
      await this.#pause(LOOK_MS);
    }
    return readLogFrom(logFile, before).catch(() => "");
  }

  async #startAgain(): Promise<void> {
    let toldAtMs = Number.NEGATIVE_INFINITY;
    for (;;) {
      await this.#pause(this.#waitMs);
      if (this.#isOver) return;
      this.#waitMs = Math.min(Math.max(2 * this.#waitMs, FIRST_WAIT_MS), LONGEST_WAIT_MS);
      try {
        this.#server = await this.#revive(this.#end.signal);
        this.#runsSinceMs = performance.now();
        this.#site.log("The embedded database runs again.");
        return;
      } catch (error) {
        if (this.#isOver || performance.now() - toldAtMs < TELL_MS) continue;
        toldAtMs = performance.now();
        const { message } = explain(error, this.#site.dataDir);
        this.#site.log(`${message}; it will be tried again and again`, "error");
      }
    }
  }

  get #isOver(): boolean {
    return this.#end.signal.aborted;
  }

  /** Keeps no process alive, and is over at once when all is. */
  async #pause(ms: number): Promise<void> {
    await sleep(ms, undefined, { ref: false, signal: this.#end.signal }).catch(() => undefined);
  }
}
