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

/** One connection of a lane, as long as it lives: what begins on it never goes on on another. */
export interface Session {
  /**
   * Sends all statements at once and gives their results in order. When one fails, the first failure
   * is thrown after all have been answered, so that the connection is at rest again.
   */
  send(statements: Statement[]): Promise<pg.QueryResult[]>;
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

  /** The connection as it is now, for work that takes several trips. */
  async session(): Promise<Session> {
    const client = await this.#connected();
    return { send: (statements) => sendTogether(client, statements) };
  }

  /** For work that takes one trip. */
  async send(statements: Statement[]): Promise<pg.QueryResult[]> {
    return (await this.session()).send(statements);
  }

  async close(): Promise<void> {
    const client = await this.#client?.catch(() => undefined);
    this.#client = undefined;
    await client?.end().catch(() => undefined);
  }

  /** Cuts the connection, whatever is under way on it. */
  async abandon(): Promise<void> {
    const client = await this.#client?.catch(() => undefined);
    if (client !== undefined) streamOf(client).destroy();
  }

  #connected(): Promise<pg.Client> {
    if (this.#client !== undefined) return this.#client;
    const client: Promise<pg.Client> = this.#connect(() => this.#forget(client));
    this.#client = client;
    client.catch(() => this.#forget(client));
    return client;
  }

  async #connect(onEnd: () => void): Promise<pg.Client> {
    const client = createClient(this.#options.connectionString, {
      application_name: `florin-${this.#options.name}`,
      pipeline: true,
      connectionTimeoutMillis: 5_000,
      query_timeout: 20_000,
      keepAlive: true,
    });
    client.on("error", onEnd);
    client.on("end", onEnd);
    await client.connect();
    const durability = `set synchronous_commit = ${this.#options.durable ? "on" : "off"}`;
    await Promise.all([...SETTINGS, durability].map((setting) => client.query(setting)));
    return client;
  }

  /** The end of an old connection must not be taken for the end of its successor. */
  #forget(client: Promise<pg.Client>): void {
    if (this.#client === client) this.#client = undefined;
  }
}

async function sendTogether(client: pg.Client, statements: Statement[]): Promise<pg.QueryResult[]> {
  const answers = await Promise.allSettled(
    inOnePacket(client, () => statements.map((statement) => client.query(statement))),
  );
  const failed = answers.find((answer) => answer.status === "rejected");
  if (failed !== undefined) throw failed.reason;
  return answers.map((answer) => (answer as PromiseFulfilledResult<pg.QueryResult>).value);
}

/** Writes what `send` writes with one system call; the driver alone would make one for each statement. */
function inOnePacket<T>(client: pg.Client, send: () => T): T {
  const stream = streamOf(client);
  stream.cork();
  try {
    return send();
  } finally {
    stream.uncork();
  }
}

const streamOf = (client: pg.Client): Writable =>
  (client as unknown as { connection: { stream: Writable } }).connection.stream;
