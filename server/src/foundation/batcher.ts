/** One piece of work that waits for its batch. */
export interface Waiting<Input, Output> {
  input: Input;
  resolve(output: Output): void;
  reject(error: unknown): void;
}

export interface BatcherOptions<Input, Output, Lane> {
  /** What batches run on, one batch at a time each. */
  lanes: readonly Lane[];
  maxBatch: number;
  maxQueue: number;
  /** How long a lane rests after a batch, unless a whole one waits: more of what nobody waits for shares the next. */
  restMs?: number;
  /** How long work waits for company while another lane is busy: few large batches cost less than many small ones. */
  patienceMs?: number;
  /** Settles every item of the batch. */
  run(batch: Waiting<Input, Output>[], lane: Lane): Promise<void>;
  /** What a caller gets when the queue is full. */
  overload(): Error;
}

/** Of a whole batch; so much work needs no more company. */
const WORTH_A_LANE = 0.75;

/**
 * Groups work by what is under way: while every lane is busy work queues up, and a lane that becomes free
 * takes all that waits, or waits a little for more of it. An idle service therefore answers at once, and a
 * busy one gains by its load. Timers there are only where lanes are to rest, or work is to wait for company.
 */
export class Batcher<Input, Output, Lane> {
  readonly #options: BatcherOptions<Input, Output, Lane>;
  readonly #idleLanes: Lane[];
  readonly #drained: (() => void)[] = [];
  readonly #queue: (Waiting<Input, Output> & { sinceMs: number })[] = [];
  /** Since when each busy lane has had its batch. */
  readonly #busy = new Map<Lane, number>();
  readonly #resting = new Map<Lane, NodeJS.Timeout>();
  #dispatchPlanned = false;
  #patience: NodeJS.Timeout | undefined;
  #refusing = false;

  constructor(options: BatcherOptions<Input, Output, Lane>) {
    this.#options = options;
    this.#idleLanes = [...options.lanes];
  }

  get queued(): number {
    return this.#queue.length;
  }

  /** How long the oldest of the batches has been under way. */
  get longestMs(): number {
    return performance.now() - Math.min(performance.now(), ...this.#busy.values());
  }

  submit(input: Input): Promise<Output> {
    if (this.#refusing || this.#queue.length >= this.#options.maxQueue) {
      return Promise.reject(this.#options.overload());
    }
    return new Promise((resolve, reject) => {
      this.#queue.push({ input, resolve, reject, sinceMs: performance.now() });
      if (this.#queue.length >= this.#options.maxBatch) this.#endRest();
      this.#planDispatch();
    });
  }

  /** Gives up what waits and takes nothing more. */
  refuse(): void {
    this.#refusing = true;
    for (const item of this.#queue.splice(0)) item.reject(this.#options.overload());
  }

  /** Resolves when nothing waits and nothing is under way. */
  drain(): Promise<void> {
    if (this.#isIdle()) return Promise.resolve();
    return new Promise((resolve) => this.#drained.push(resolve));
  }

  #isIdle(): boolean {
    return this.#queue.length === 0 && this.#idleLanes.length === this.#options.lanes.length;
  }

  /** Waits for the end of this turn of the event loop: what arrives in one turn shares a batch. */
  #planDispatch(): void {
    if (this.#dispatchPlanned || this.#idleLanes.length === 0) return;
    this.#dispatchPlanned = true;
    setImmediate(() => {
      this.#dispatchPlanned = false;
      this.#dispatch();
    });
  }

  #dispatch(): void {
    clearTimeout(this.#patience);
    while (this.#queue.length > 0 && this.#idleLanes.length > 0) {
      const waitMs = this.#patienceLeftMs();
      if (waitMs > 0) {
        this.#patience = setTimeout(() => this.#dispatch(), waitMs);
        return;
      }
      const lane = this.#idleLanes.pop() as Lane;
      this.#busy.set(lane, performance.now());
      const batch = this.#queue.splice(0, this.#options.maxBatch);
      this.#options
        .run(batch, lane)
        .catch((error: unknown) => {
          for (const item of batch) item.reject(error);
        })
        .finally(() => this.#rest(lane));
    }
  }

  /** How long what waits may still wait for company. A lane that has been busy for long is none. */
  #patienceLeftMs(): number {
    const { maxBatch, patienceMs = 0 } = this.#options;
    const [first] = this.#queue;
    if (first === undefined || this.#queue.length >= maxBatch * WORTH_A_LANE) return 0;
    const nowMs = performance.now();
    const latestMs = Math.max(...this.#busy.values());
    return Math.min(first.sinceMs, latestMs) + patienceMs - nowMs;
  }

  /** A whole batch does not wait, nor does what is left at the end. */
  #rest(lane: Lane): void {
    const { restMs = 0, maxBatch } = this.#options;
    const isDue = this.#queue.length >= maxBatch || this.#drained.length > 0;
    if (restMs === 0 || isDue) {
      this.#release(lane);
      return;
    }
    const alarm = setTimeout(() => this.#wake(lane), restMs);
    this.#resting.set(lane, alarm);
  }

  #endRest(): void {
    const [lane] = this.#resting.keys();
    if (lane !== undefined) this.#wake(lane);
  }

  #wake(lane: Lane): void {
    clearTimeout(this.#resting.get(lane));
    this.#resting.delete(lane);
    this.#release(lane);
  }

  /** What waits goes out at once: until the event loop comes round, the lane would have nothing to do. */
  #release(lane: Lane): void {
    this.#busy.delete(lane);
    this.#idleLanes.push(lane);
    if (this.#queue.length > 0) this.#dispatch();
    else if (this.#isIdle()) for (const resolve of this.#drained.splice(0)) resolve();
  }
}
