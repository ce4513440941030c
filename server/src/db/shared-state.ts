import { setTimeout as pause } from "node:timers/promises";
import type { Pool } from "./pool.ts";

const POLL_MS = 250;
const FRESH_MS = 900;
/** A connection that hangs is given up for a new one. */
const PATIENCE_MS = 2_000;

/** After so long no process acts on what was true before a change. */
export const LEARNED_AFTER_MS = 1_000;

/** What each process that serves calls the one connection that it asks on; operators' commands do not count. */
export const FEED_NAME = "florin-state";

export interface SharedState {
  clockOffsetMs: number;
  /** Changes with every organization and client that is created, changed or disabled. */
  directoryVersion: bigint;
  /** Changes with every signing or data key. */
  keysVersion: bigint;
}

const STATE = `
  select clock_offset_ms::float8 as "clockOffsetMs", directory_version as "directoryVersion",
         keys_version as "keysVersion" from shared_state`;

const PROCESSES = `
  select count(*) as count from pg_stat_activity
   where datname = current_database() and application_name = $1`;

type Listener = (state: SharedState, before: SharedState | undefined) => void;

/**
 * What every process must learn of within a second: the sandbox clock, changed organizations, rotated
 * keys. One row is polled; that is cheaper to reason about than notifications, which are lost with a
 * connection and do not pass a transaction pooler.
 */
export class SharedStateFeed {
  readonly #pool: Pool;
  readonly #listeners: Listener[] = [];
  #state: SharedState | undefined;
  #timer: NodeJS.Timeout | undefined;
  #readAtMs = Number.NEGATIVE_INFINITY;
  #stopped = false;

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  /** Calls back with each new value of one field, beginning with the current one if it is known. */
  on<Field extends keyof SharedState>(
    field: Field,
    listener: (value: SharedState[Field]) => void,
  ): void {
    if (this.#state !== undefined) listener(this.#state[field]);
    this.#listeners.push((state, before) => {
      if (before === undefined || state[field] !== before[field]) listener(state[field]);
    });
  }

  async start(): Promise<void> {
    await this.refresh();
    this.#schedule();
  }

  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#timer);
  }

  /** Whether what listeners were last told can still be relied on. */
  isFresh(): boolean {
    return performance.now() - this.#readAtMs < FRESH_MS;
  }

  async refresh(): Promise<void> {
    const askedAtMs = performance.now();
    const query = { text: STATE, query_timeout: PATIENCE_MS };
    const { rows } = await this.#pool.query<SharedState>(query);
    const state = rows[0];
    if (state === undefined) throw new Error("The shared_state row is missing.");
    this.#readAtMs = askedAtMs;
    const before = this.#state;
    this.#state = state;
    for (const listener of this.#listeners) listener(state, before);
  }

  /**
   * For whoever has changed something, and answers when every process goes by it: waits as long as others may take to
   * learn of it, if there are others.
   */
  async untilLearned(): Promise<void> {
    if (!(await this.isAlone().catch(() => false))) await pause(LEARNED_AFTER_MS);
  }

  /** Whether no other process serves. One that does not even find itself, as a pooler renamed it, cannot tell. */
  async isAlone(): Promise<boolean> {
    const query = { text: PROCESSES, values: [FEED_NAME], query_timeout: PATIENCE_MS };
    const { rows } = await this.#pool.query<{ count: bigint }>(query);
    return rows[0]?.count === 1n;
  }

  #schedule(): void {
    if (this.#stopped) return;
    this.#timer = setTimeout(() => {
      // A database that does not answer leaves the state stale; readers then ask for themselves.
      this.refresh()
        .catch(() => undefined)
        .finally(() => this.#schedule());
    }, POLL_MS);
    this.#timer.unref();
  }
}
