/** So many are under way without anybody's waiting: enough to keep the engine busy. */
const AT_ONCE = 64;
const BEAT_MS = 2;

/**
 * Lets messages in, connection by connection, so that none waits behind all that another has sent. Beyond a
 * number that keeps the engine busy, more come in only while little waits for the engine: those before
 * them are then waiting for clients that decide for themselves, and stand in nobody's way.
 */
export class Turnstile {
  readonly #engine: { readonly queued: number };
  #inside = 0;
  /** By connection; whose turn is next comes first. */
  readonly #waiting = new Map<object, (() => void)[]>();
  #beat: NodeJS.Timeout | undefined;

  constructor(engine: { readonly queued: number }) {
    this.#engine = engine;
  }

  /** Resolves when a message of this connection may go on; it must leave in the end. */
  enter(connection: object): Promise<void> | undefined {
    if (this.#waiting.size === 0 && this.#inside < AT_ONCE) {
      this.#inside += 1;
      return undefined;
    }
    return new Promise((resolve) => {
      const queue = this.#waiting.get(connection) ?? [];
      queue.push(resolve);
      this.#waiting.set(connection, queue);
      this.#plan();
    });
  }

  leave(): void {
    this.#inside -= 1;
    this.#letIn(AT_ONCE - this.#inside);
  }

  #letIn(room: number): void {
    for (let left = room; left > 0; left--) {
      const [turn] = this.#waiting;
      if (turn === undefined) return;
      const [connection, queue] = turn;
      this.#waiting.delete(connection);
      const next = queue.shift();
      if (queue.length > 0) this.#waiting.set(connection, queue);
      this.#inside += 1;
      next?.();
    }
  }

  #plan(): void {
    this.#beat ??= setTimeout(() => {
      this.#beat = undefined;
      this.#letIn(AT_ONCE - this.#engine.queued);
      if (this.#waiting.size > 0) this.#plan();
    }, BEAT_MS);
  }
}
