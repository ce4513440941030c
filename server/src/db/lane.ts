import type { Writable } from "node:stream";
import type pg from "pg";
import { isServerError } from "./errors.ts";
import { createClient } from "./pool.ts";
import { SETTLE_SESSION } from "./session-settings.ts";
import { type Answer, type Prepared, type Statement, Trip } from "./trip.ts";

export type { Statement } from "./trip.ts";

/** A trip that takes longer gets no answer any more: its statements have smaller bounds of their own. */
const TRIP_PATIENCE_MS = 20_000;
/** What has been idle for longer is asked whether it is still there: a server may be gone without a word. */
const IDLE_MS = 5_000;
const SIGN_OF_LIFE_MS = 2_000;
/** How long a close waits for the server to close, too. */
const FAREWELL_MS = 1_000;

const SETTINGS = [
  ...SETTLE_SESSION,
  // Array parameters make PostgreSQL plan each call anew, and a plan made while a table was empty
  // would scan it for ever: fix the plan, and fix it to the indexes.
  "set plan_cache_mode = force_generic_plan",
  "set enable_seqscan = off",
  "set jit = off",
  "set lock_timeout = '5s'",
  "set statement_timeout = '10s'",
  "set idle_in_transaction_session_timeout = '15s'",
];

/** Shows that the server is there. */
export const NOTHING: Statement = { name: "", text: "select" };
export const BEGIN: Statement = { name: "begin", text: "begin" };
export const COMMIT: Statement = { name: "commit", text: "commit" };

export interface LaneOptions {
  connectionString: string;
  name: string;
  /** False where a lost last moment costs nothing, as with the References of reads. */
  durable: boolean;
}

/** One connection of a lane, for as long as it lives: work that begins on it never moves to another. */
export interface Session {
  /**
   * Sends all statements at once and gives their answers in order. When one fails, those after it are
   * skipped, what was begun is rolled back, and its error is thrown.
   */
  send(statements: Statement[]): Promise<Answer[]>;
}

/**
 * A connection of its own for hot work, pipelined: statements sent together travel together. It opens
 * at its first use and again after it breaks.
 */
export class Lane {
  readonly #options: LaneOptions;
  #client: Promise<Connected> | undefined;

  constructor(options: LaneOptions) {
    this.#options = options;
  }

  /** The connection as it is now, for work that takes several trips. */
  async session(): Promise<Session> {
    const connected = await this.#living();
    return { send: (statements) => connected.send(statements) };
  }

  /** For work that takes one trip. */
  async send(statements: Statement[]): Promise<Answer[]> {
    return (await this.session()).send(statements);
  }

  async close(): Promise<void> {
    const connected = await this.#client?.catch(() => undefined);
    this.#client = undefined;
    if (connected === undefined) return;
    // A server that hangs never hangs up.
    const patience = setTimeout(() => connected.cut(), FAREWELL_MS);
    await connected.client.end().catch(() => undefined);
    clearTimeout(patience);
  }

  /** Cuts the connection, whatever is under way on it. */
  async abandon(): Promise<void> {
    const connected = await this.#client?.catch(() => undefined);
    connected?.cut();
  }

  /** Not the one that fell silent since it was last used, which would cost the work on it all its patience. */
  async #living(): Promise<Connected> {
    const client = this.#connected();
    const connected = await client;
    if (connected.isFresh() || (await connected.isThere())) return connected;
    this.#forget(client);
    return this.#connected();
  }

  #connected(): Promise<Connected> {
    if (this.#client !== undefined) return this.#client;
    const client: Promise<Connected> = this.#connect(() => this.#forget(client));
    this.#client = client;
    client.catch(() => this.#forget(client));
    return client;
  }

  async #connect(onEnd: () => void): Promise<Connected> {
    const client = createClient(this.#options.connectionString, {
      application_name: `florin-${this.#options.name}`,
      connectionTimeoutMillis: 5_000,
      keepAlive: true,
    });
    client.on("error", onEnd);
    client.on("end", onEnd);
    await client.connect();
    const connected = new Connected(client);
    const durability = `set synchronous_commit = ${this.#options.durable ? "on" : "off"}`;
    await connected.send([...SETTINGS, durability].map((text) => ({ name: "", text })));
    return connected;
  }

  /** The end of an old connection must not be taken for the end of its successor. */
  #forget(client: Promise<Connected>): void {
    if (this.#client === client) this.#client = undefined;
  }
}

/** A connection and what is prepared on it. Trips go one after another. */
class Connected implements Session {
  readonly client: pg.Client;
  readonly #prepared: Prepared = new Map();
  #last: Promise<unknown> = Promise.resolve();
  #heardAtMs = performance.now();

  constructor(client: pg.Client) {
    this.client = client;
  }

  send(statements: Statement[], patienceMs = TRIP_PATIENCE_MS): Promise<Answer[]> {
    const sent = this.#last.then(() => this.#travel(statements, patienceMs));
    this.#last = sent.catch(() => undefined);
    return sent;
  }

  isFresh(): boolean {
    return performance.now() - this.#heardAtMs < IDLE_MS;
  }

  isThere(): Promise<boolean> {
    return this.send([NOTHING], SIGN_OF_LIFE_MS).then(
      () => true,
      () => {
        this.cut();
        return false;
      },
    );
  }

  cut(): void {
    (this.client as unknown as { connection: { stream: Writable } }).connection.stream.destroy();
  }

  async #travel(statements: Statement[], patienceMs: number): Promise<Answer[]> {
    const patience = setTimeout(() => this.cut(), patienceMs);
    try {
      return await this.#ask(statements);
    } catch (error) {
      if (isServerError(error)) await this.#ask([{ name: "", text: "rollback" }]);
      throw error;
    } finally {
      clearTimeout(patience);
      this.#heardAtMs = performance.now();
    }
  }

  #ask(statements: Statement[]): Promise<Answer[]> {
    return this.client.query(new Trip(statements, this.#prepared)).answers;
  }
}
