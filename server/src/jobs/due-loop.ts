import { FailureLog } from "../foundation/failure-log.ts";
import type { Log } from "../foundation/log.ts";

/** Work that lies in a table until it falls due, and that several processes share. */
export interface DueWork<Item> {
  name: string;
  /** How many items one process works on at once. */
  maxAtOnce: number;
  /** Takes up to `limit` items that are due, so that nobody else does. */
  take(limit: number): Promise<Item[]>;
  /** Must end soon when `signal` says so, and put its item back. */
  run(item: Item, signal: AbortSignal): Promise<void>;
  /** How long until the next item falls due that nobody has taken; nothing if there is none. */
  nextInMs(): Promise<number | undefined>;
}

/** How long work that another process added, or that a dead one left, may go unnoticed. */
const MAX_IDLE_MS = 1_000;
/** However much seems to be due, the database gets a moment between two looks. */
const MIN_IDLE_MS = 10;

/** Takes what falls due and works on it, a few items at a time, until stopped. */
export class DueLoop<Item> {
  readonly #work: DueWork<Item>;
  readonly #log: Log;
  readonly #failures: FailureLog;
  readonly #running = new Set<Promise<void>>();
  readonly #stop = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  #turn: Promise<void> | undefined;
  #wokenMeanwhile = false;

  constructor(work: DueWork<Item>, log: Log) {
    this.#work = work;
    this.#log = log;
    this.#failures = new FailureLog(log, work.name, "due work could not be looked for");
  }

  /** Looks at once: something has fallen due, or there is room again. Before the start it does nothing. */
  wake(): void {
    if (this.#timer === undefined && this.#turn === undefined) return;
    this.#look();
  }

  start(): void {
    this.#look();
  }

  /** Finishes what is under way, soon. */
  async stop(): Promise<void> {
    this.#stop.abort();
    clearTimeout(this.#timer);
    await this.#turn;
    await Promise.all(this.#running);
  }

  #look(): void {
    if (this.#stop.signal.aborted) return;
    if (this.#turn !== undefined) {
      this.#wokenMeanwhile = true;
      return;
    }
    clearTimeout(this.#timer);
    this.#turn = this.#takeAll()
      .catch((error: unknown) => {
        this.#failures.failed(error);
        return MAX_IDLE_MS;
      })
      .then((idleMs) => this.#rest(idleMs));
  }

  /** Takes what is due, as far as there is room, and says how long to rest then. */
  async #takeAll(): Promise<number> {
    const room = this.#work.maxAtOnce - this.#running.size;
    // An item that ends looks for more.
    if (room <= 0) return MAX_IDLE_MS;
    const items = await this.#work.take(room);
    for (const item of items) this.#run(item);
    const nextMs = items.length === room ? undefined : await this.#work.nextInMs();
    this.#failures.worked();
    return nextMs ?? MAX_IDLE_MS;
  }

  #rest(idleMs: number): void {
    this.#turn = undefined;
    if (this.#stop.signal.aborted) return;
    const restMs = this.#wokenMeanwhile ? 0 : Math.min(Math.max(idleMs, 0), MAX_IDLE_MS);
    this.#wokenMeanwhile = false;
    this.#timer = setTimeout(() => this.#look(), Math.max(restMs, MIN_IDLE_MS));
    this.#timer.unref();
  }

  #run(item: Item): void {
    const run = this.#work
      .run(item, this.#stop.signal)
      .catch((error: unknown) =>
        this.#log.error({ err: error, job: this.#work.name }, "due work failed"),
      )
      .finally(() => {
        this.#running.delete(run);
        this.wake();
      });
    this.#running.add(run);
  }
}
