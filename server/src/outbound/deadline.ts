/** Calls when a moment of `performance.now()` has come, never before it, unless it is cancelled. */
export class Deadline {
  readonly #dueMs: number;
  readonly #onDue: () => void;
  #timer: NodeJS.Timeout;

  constructor(dueMs: number, onDue: () => void) {
    this.#dueMs = dueMs;
    this.#onDue = onDue;
    this.#timer = this.#wait();
  }

  cancel(): void {
    clearTimeout(this.#timer);
  }

  #wait(): NodeJS.Timeout {
    const leftMs = Math.ceil(this.#dueMs - performance.now());
    return setTimeout(() => this.#look(), leftMs);
  }

  /** Timers count whole milliseconds of a clock of their own, and may ring up to one too early. */
  #look(): void {
    if (performance.now() >= this.#dueMs) this.#onDue();
    else this.#timer = this.#wait();
  }
}
