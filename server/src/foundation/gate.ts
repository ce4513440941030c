export interface GateOptions {
  /** How many may be inside at once, in all and with one key. */
  maxInside: number;
  maxInsidePerKey: number;
  maxWaiting: number;
  /** How many may wait with one key; as many as may wait at all unless said otherwise. */
  maxWaitingPerKey?: number;
  patienceMs: number;
}

/** Too many wait already, or it took too long. */
export class GateBusy extends Error {
  override readonly name = "GateBusy";

  constructor() {
    super("The gate is busy");
  }
}

type Enter = () => void;

/**
 * Lets few in at a time and the others wait their turn, within bounds. Nobody can fill it alone: one
 * key has its own, smaller bound, and who waits for that holds up nobody else. Keys take turns, so that
 * many who wait with one do not delay the first of another.
 */
export class Gate {
  readonly #options: GateOptions;
  readonly #inside = new Map<string, number>();
  /** By key, those whose turn is next first. */
  readonly #waiting = new Map<string, Enter[]>();
  #insideCount = 0;
  #waitingCount = 0;

  constructor(options: GateOptions) {
    this.#options = options;
  }

  /** Resolves, once inside, to the function that leaves again. Whoever gives up through `signal` is not let in. */
  enter(key: string, signal: AbortSignal): Promise<() => void> {
    if (signal.aborted) return Promise.reject(new GateBusy());
    if (this.#admits(key)) return Promise.resolve(this.#letIn(key));
    if (!this.#mayWait(key)) return Promise.reject(new GateBusy());
    return this.#wait(key, signal, this.#options.patienceMs);
  }

  /** Like `enter`, but only `signal` ends the wait. For those whose number has a bound elsewhere. */
  enterHoweverLate(key: string, signal: AbortSignal): Promise<() => void> {
    if (signal.aborted) return Promise.reject(new GateBusy());
    if (this.#admits(key)) return Promise.resolve(this.#letIn(key));
    return this.#wait(key, signal, undefined);
  }

  #mayWait(key: string): boolean {
    const { maxWaiting, maxWaitingPerKey = maxWaiting } = this.#options;
    const withKey = this.#waiting.get(key)?.length ?? 0;
    return this.#waitingCount < maxWaiting && withKey < maxWaitingPerKey;
  }

  #wait(key: string, signal: AbortSignal, patienceMs: number | undefined): Promise<() => void> {
    return new Promise((resolve, reject) => {
      const settle = (): void => {
        clearTimeout(timer);
        signal.removeEventListener("abort", giveUp);
      };
      const giveUp = (): void => {
        settle();
        const others = (this.#waiting.get(key) ?? []).filter((other) => other !== enter);
        if (others.length === 0) this.#waiting.delete(key);
        else this.#waiting.set(key, others);
        this.#waitingCount -= 1;
        reject(new GateBusy());
      };
      const enter = (): void => {
        settle();
        resolve(this.#letIn(key));
      };
      const timer = patienceMs === undefined ? undefined : setTimeout(giveUp, patienceMs);
      signal.addEventListener("abort", giveUp, { once: true });
      const waiting = this.#waiting.get(key);
      if (waiting === undefined) this.#waiting.set(key, [enter]);
      else waiting.push(enter);
      this.#waitingCount += 1;
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
    this.#letNextIn();
  }

  #letNextIn(): void {
    for (const [key, waiting] of this.#waiting) {
      if (!this.#admits(key)) continue;
      const next = waiting.shift();
      // Behind the others, if anybody is left.
      this.#waiting.delete(key);
      if (waiting.length > 0) this.#waiting.set(key, waiting);
      this.#waitingCount -= 1;
      next?.();
      return;
    }
  }
}
