import { briefly, type Log } from "./log.ts";

const REPEAT_MS = 30_000;
const MAX_KINDS = 10;

/**
 * Tells what becomes of work that is tried again and again, without a line for every try: each kind of
 * failure once and whole, then how often it failed, now and then, and in the end that it works again.
 */
export class FailureLog {
  readonly #log: Log;
  readonly #job: string;
  readonly #message: string;
  readonly #kinds = new Set<string>();
  #failures = 0;
  #toldAtMs = 0;

  constructor(log: Log, job: string, message: string) {
    this.#log = log;
    this.#job = job;
    this.#message = message;
  }

  failed(error: unknown): void {
    this.#failures += 1;
    const job = this.#job;
    const reason = briefly(error);
    if (this.#isNew(reason)) {
      this.#log.warn({ err: error, job }, this.#message);
    } else if (performance.now() - this.#toldAtMs >= REPEAT_MS) {
      this.#log.warn(
        { reason, job, failures: this.#failures },
        `${this.#message}, again and again`,
      );
    } else return;
    this.#toldAtMs = performance.now();
  }

  worked(): void {
    if (this.#failures === 0) return;
    this.#log.info({ job: this.#job, failures: this.#failures }, "background work succeeds again");
    this.#failures = 0;
    this.#kinds.clear();
  }

  #isNew(kind: string): boolean {
    if (this.#kinds.has(kind) || this.#kinds.size >= MAX_KINDS) return false;
    this.#kinds.add(kind);
    return true;
  }
}
