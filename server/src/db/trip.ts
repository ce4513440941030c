import type pg from "pg";
import { isoTime } from "../foundation/dates.ts";
import { type RowReader, rowReader } from "./row-reader.ts";

export interface Statement {
  /** Names a prepared statement: lanes own their connections, so they may keep them. */
  name: string;
  text: string;
  values?: Parameter[];
  /** The lines of a COPY; see copy.ts. */
  copy?: string;
}

/** Arrays and objects travel as text; see arrays.ts. */
export type Parameter = string | number | bigint | boolean | Date | Buffer | null;

export type Answer = Pick<pg.QueryResult, "command" | "rowCount" | "rows">;

declare module "pg" {
  /** What the driver's types do not tell of its connections. */
  interface Connection {
    sendCopyFromChunk(chunk: Buffer): void;
    endCopyFrom(): void;
  }
}

/**
 * The prepared statements of one connection, each with the reader of its rows. One without a reader may or may
 * not be prepared: its first use failed.
 */
export type Prepared = Map<string, RowReader | undefined>;

const noRows: RowReader = rowReader([]);

/**
 * Several statements in one go: the server works through them and answers them all together, at the one
 * Sync behind the last. The driver would end every statement with a Sync, and the server would wake us
 * for each. When one fails, the server skips the rest.
 */
export class Trip implements pg.Submittable {
  readonly answers: Promise<Answer[]>;
  /** The driver brings its own when it sets a time limit. */
  callback: ((error: Error | null) => void) | undefined;
  readonly #statements: Statement[];
  readonly #prepared: Prepared;
  readonly #answered: Answer[] = [];
  #rows: object[] = [];
  #read: RowReader;
  #resolve: (answers: Answer[]) => void = () => undefined;
  #reject: (error: Error) => void = () => undefined;

  constructor(statements: Statement[], prepared: Prepared) {
    this.#statements = statements;
    this.#prepared = prepared;
    this.#read = this.#known();
    this.answers = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
  }

  submit(connection: pg.Connection): void {
    const parsed = new Set<string>();
    connection.stream.cork();
    try {
      for (const { name, text, values = [], copy } of this.#statements) {
        const isKnown = parsed.has(name) || this.#prepared.get(name) !== undefined;
        if (!isKnown) {
          if (this.#prepared.has(name)) connection.close({ type: "S", name }, true);
          connection.parse({ name, text, types: [] }, true);
          if (name !== "") {
            parsed.add(name);
            this.#prepared.set(name, undefined);
          }
        }
        connection.bind({ statement: name, values: values.map(wireOf) }, true);
        if (!isKnown) connection.describe({ type: "P" }, true);
        connection.execute(null, true);
        if (copy !== undefined) {
          connection.sendCopyFromChunk(Buffer.from(copy));
          connection.endCopyFrom();
        }
      }
      connection.sync();
    } finally {
      connection.stream.uncork();
    }
  }

  handleRowDescription({ fields }: { fields: pg.FieldDef[] }): void {
    this.#read = rowReader(fields);
  }

  handleDataRow({ fields }: { fields: (string | null)[] }): void {
    this.#rows.push(this.#read(fields));
  }

  handleCommandComplete({ text }: { text: string }): void {
    const [command = "", ...counts] = text.split(" ");
    const count = counts.at(-1);
    this.#answered.push({
      command,
      rowCount: count === undefined ? null : Number(count),
      rows: this.#rows,
    });
    const statement = this.#statements[this.#answered.length - 1];
    if (statement !== undefined && statement.name !== "") {
      this.#prepared.set(statement.name, this.#read);
    }
    this.#rows = [];
    this.#read = this.#known();
  }

  /** The lines are on their way already. */
  handleCopyInResponse(): void {}

  handleReadyForQuery(): void {
    this.callback?.(null);
    this.#resolve(this.#answered);
  }

  handleError(error: Error): void {
    this.callback?.(error);
    this.#reject(error);
  }

  /** What reads the rows of the statement that is answered next, as far as it was used before. */
  #known(): RowReader {
    return this.#prepared.get(this.#statements[this.#answered.length]?.name ?? "") ?? noRows;
  }
}

/** Sends statements together on a connection that is not a lane's: it keeps none of them prepared. */
export function sendOn(client: pg.ClientBase, statements: readonly Statement[]): Promise<Answer[]> {
  const unnamed = statements.map((statement) => ({ ...statement, name: "" }));
  return client.query(new Trip(unnamed, new Map())).answers;
}

/** As PostgreSQL reads it; bytes stay what they are. */
function wireOf(parameter: Parameter): string | Buffer | null {
  if (typeof parameter === "string" || parameter === null || Buffer.isBuffer(parameter)) {
    return parameter;
  }
  return parameter instanceof Date ? isoTime(parameter) : String(parameter);
}
