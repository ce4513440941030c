export interface GateOptions {
  /** How many may be inside at once, in all and with one key. */
  maxInside: number;
  maxInsidePerKey: number;
  maxWaiting: number;
  patienceMs: number;
}

/** Too many wait already, or it took too long. */
export class GateBusy extends Error {
  override readonly name = "GateBusy";

  constructor() {
    super("The gate is busy");
  }
}

interface Waiting {
  key: string;
  enter(): void;
}

/**
 * Lets few in at a time and the others wait their turn, within bounds. Nobody can fill it alone: one
 * key has its own, smaller bound, and who waits for that holds up nobody else.
 */
export class Gate {
  readonly #options: GateOptions;
  readonly #inside = new Map<string, number>();
  #insideCount = 0;
  #waiting: Waiting[] = [];

  constructor(options: GateOptions) {
    this.#options = options;
  }

  /** Resolves, once inside, to the function that leaves again. Whoever gives up through `signal` is not let in. */
  enter(key: string, signal: AbortSignal): Promise<() => void> {
    if (signal.aborted) return Promise.reject(new GateBusy());
    if (this.#admits(key)) return Promise.resolve(this.#letIn(key));
    if (this.#waiting.length >= this.#options.maxWaiting) return Promise.reject(new GateBusy());
    return this.#wait(key, signal);
  }

  #wait(key: string, signal: AbortSignal): Promise<() => void> {
    return new Promise((resolve, reject) => {
      const settle = (): void => {
        clearTimeout(timer);
        signal.removeEventListener("abort", giveUp);
      };
      const giveUp = (): void => {
        settle();
        this.#waiting = this.#waiting.filter((other) => other !== waiting);
        reject(new GateBusy());
      };
      const waiting: Waiting = {
        key,
        enter: () => {
          settle();
          resolve(this.#letIn(key));
        },
      };
      const timer = setTimeout(giveUp, this.#options.patienceMs);
      signal.addEventListener("abort", giveUp, { once: true });
      this.#waiting.push(waiting);
    });
  }

  #admits(key: string): boolean {
    const { maxInside, maxInsidePerKey } = this.#options;
    return this.#insideCount < maxInside && this.#insideWith(key) < maxInsidePerKey;
  }

  #insideWith(key: string): number {
    return this.#inside.get(key) ?? 0;
  }

  #letIn(key: string): () => void {
    this.#insideCount += 1;
    this.#inside.set(key, this.#insideWith(key) + 1);
    let isInside = true;
    return () => {
      if (!isInside) return;
      isInside = false;
      this.#letOut(key);
    };
  }

  #letOut(key: string): void {
    this.#insideCount -= 1;
    const left = this.#insideWith(key) - 1;
    if (left === 0) this.#inside.delete(key);
    else this.#inside.set(key, left);
    const next = this.#waiting.find((waiting) => this.#admits(waiting.key));
    if (next === undefined) return;
    this.#waiting = this.#waiting.filter((other) => other !== next);
    next.enter();
  }
}
