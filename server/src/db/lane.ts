import type { Writable } from "node:stream";
import type pg from "pg";
import { createClient } from "./pool.ts";

export interface Statement {
  /** Names a prepared statement: lanes own their connections, so they may keep them. */
  name: string;
  text: string;
  values?: unknown[];
}

const SETTINGS = [
  // Array parameters make PostgreSQL plan each call anew, and a plan made while a table was empty
  // would scan it for ever: fix the plan, and fix it to the indexes.
  "set plan_cache_mode = force_generic_plan",
  "set enable_seqscan = off",
  "set jit = off",
  "set lock_timeout = '5s'",
  "set statement_timeout = '10s'",
  "set idle_in_transaction_session_timeout = '15s'",
];

export interface LaneOptions {
  connectionString: string;
  name: string;
  /** False where a lost last moment costs nothing, as with the References of reads. */
  durable: boolean;
}

/**
 * A connection of its own for hot work, pipelined: statements sent together travel together. It opens
 * at its first use and again after it breaks.
 */
export class Lane {
  readonly #options: LaneOptions;
  #client: Promise<pg.Client> | undefined;

  constructor(options: LaneOptions) {
    this.#options = options;
  }

  /**
   * Sends all statements at once and gives their results in order. When one fails, the first failure
   * is thrown after all have been answered, so that the connection is at rest again.
   */
  async send(statements: Statement[]): Promise<pg.QueryResult[]> {
    const client = await this.#connected();
    const answers = await Promise.allSettled(
      inOnePacket(client, () => statements.map((statement) => client.query(statement))),
    );
    const failed = answers.find((answer) => answer.status === "rejected");
    if (failed !== undefined) throw failed.reason;
    return answers.map((answer) => (answer as PromiseFulfilledResult<pg.QueryResult>).value);
  }

  async close(): Promise<void> {
    const client = await this.#client?.catch(() => undefined);
    this.#client = undefined;
    await client?.end().catch(() => undefined);
  }

  #connected(): Promise<pg.Client> {
    this.#client ??= this.#connect().catch((error: unknown) => {
      this.#client = undefined;
      throw error;
    });
    return this.#client;
  }

  async #connect(): Promise<pg.Client> {
    const client = createClient(this.#options.connectionString, {
      application_name: `florin-${this.#options.name}`,
      pipeline: true,
      connectionTimeoutMillis: 5_000,
      query_timeout: 20_000,
      keepAlive: true,
    });
    client.on("error", () => this.#forget());
    client.on("end", () => this.#forget());
    await client.connect();
    const durability = `set synchronous_commit = ${this.#options.durable ? "on" : "off"}`;
    await Promise.all([...SETTINGS, durability].map((setting) => client.query(setting)));
    return client;
  }

  #forget(): void {
    this.#client = undefined;
  }
}

/** Writes what `send` writes with one system call; the driver alone would make one for each statement. */
function inOnePacket<T>(client: pg.Client, send: () => T): T {
  const { stream } = (client as unknown as { connection: { stream: Writable } }).connection;
  stream.cork();
  try {
    return send();
  } finally {
    stream.uncork();
  }
}
