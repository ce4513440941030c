import { FailureLog } from "../foundation/failure-log.ts";
import type { Log } from "../foundation/log.ts";

export interface PumpOptions {
  name: string;
  /** One round of work. True when there is more, so that the next follows at once. */
  step(): Promise<boolean>;
  /** How long to rest when nobody wakes it. */
  restMs: number;
  /** The shortest time from one round to the next, however often it is woken. */
  gapMs: number;
  log: Log;
}

const AFTER_FAILURE_MS = 1_000;

/** Does rounds of work, one at a time: when woken, and now and then by itself. A failure waits a moment. */
export class Pump {
  readonly #options: PumpOptions;
  readonly #failures: FailureLog;
  #timer: NodeJS.Timeout | undefined;
  #round: Promise<void> | undefined;
  #isWoken = false;
  #isRunning = false;
  #isOnCall = false;
  #notBeforeMs = Number.NEGATIVE_INFINITY;
  #waiting: Waiting[] = [];

  constructor(options: PumpOptions) {
    this.#options = options;
    const { log, name } = options;
    this.#failures = new FailureLog(log, name, "a round of background work failed");
  }

  start(): void {
    this.#isRunning = true;
    this.#plan(0);
  }

  /** Works only when woken: somebody else sees to the rest. */
  standBy(): void {
    this.#isRunning = true;
    this.#isOnCall = true;
  }

  /** Finishes the round that is under way. */
  async stop(): Promise<void> {
    this.#isRunning = false;
    clearTimeout(this.#timer);
    await this.#round;
    for (const { reject } of this.#waiting.splice(0)) reject(new Error("It has been stopped."));
  }

  wake(): void {
    if (this.#isWoken || !this.#isRunning) return;
    this.#isWoken = true;
    if (this.#round === undefined) this.#plan(0);
  }

  /** Resolves when a round that began after this call is done, and, if it left work behind, when that is done. */
  caughtUp(): Promise<void> {
    if (!this.#isRunning) return Promise.resolve();
    return new Promise((resolve, reject) => {
      this.#waiting.push({ resolve, reject });
      this.wake();
    });
  }

  #plan(inMs: number): void {
    if (!this.#isRunning) return;
    clearTimeout(this.#timer);
    const leftMs = this.#notBeforeMs - performance.now();
    this.#timer = setTimeout(() => this.#begin(), Math.max(inMs, leftMs));
  }

  #begin(): void {
    this.#isWoken = false;
    const waiting = this.#waiting.splice(0);
    this.#round = this.#run(waiting).then((pauseMs) => {
      this.#round = undefined;
      this.#notBeforeMs = performance.now() + pauseMs;
      if (this.#isWoken) this.#plan(0);
      else if (!this.#isOnCall) this.#plan(this.#options.restMs);
    });
  }

  /** Gives the time that must pass before the next round. */
  async #run(waiting: Waiting[]): Promise<number> {
    const { step, gapMs } = this.#options;
    try {
      const hasMore = await step();
      this.#failures.worked();
      if (hasMore) {
        this.#isWoken = true;
        this.#waiting.unshift(...waiting);
      } else {
        for (const { resolve } of waiting) resolve();
      }
      return gapMs;
    } catch (error) {
      this.#failures.failed(error);
      for (const { reject } of waiting) reject(error);
      return AFTER_FAILURE_MS;
    }
  }
}

interface Waiting {
  resolve(): void;
  reject(error: unknown): void;
}
