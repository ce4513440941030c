import { Batcher, type Waiting } from "../foundation/batcher.ts";
import { Failure } from "../foundation/failure.ts";
import { groupBy } from "../foundation/group-by.ts";
import { isUnavailable } from "./errors.ts";
import { Lane, NOTHING, type Statement } from "./lane.ts";

const MAX_BATCH = 256;
const MAX_QUEUE = 10_000;

/** A question that can be asked for many keys at once. */
export interface ManyQuery<Key, Row> {
  statement(keys: Key[]): Statement;
  /** Which key a row answers. */
  keyOf(row: Row): Key;
}

interface Question {
  query: ManyQuery<unknown, unknown>;
  key: unknown;
}

/**
 * Answers hot reads in groups: what is asked while the connection is busy travels together, one
 * statement for each kind of question. A read never starts before it was asked for, so whoever reads
 * after a write sees it.
 */
export class Reads {
  readonly #lane: Lane;
  readonly #batcher: Batcher<Question, unknown[], Lane>;
  /** Whether questions have failed for want of the database since one was last answered for its own sake. */
  #isInDoubt = false;

  constructor(connectionString: string) {
    this.#lane = new Lane({ connectionString, name: "reads", durable: false });
    this.#batcher = new Batcher({
      lanes: [this.#lane],
      maxBatch: MAX_BATCH,
      maxQueue: MAX_QUEUE,
      run: (batch, lane) => this.#answer(batch, lane),
      overload: () => new Failure("SERVICE_MALFUNCTION", { message: "The service is overloaded" }),
    });
  }

  /** The rows that answer `query` for this key. */
  ask<Key, Row>(query: ManyQuery<Key, Row>, key: Key): Promise<Row[]> {
    // A question is answered only with rows of its own query, so forgetting their type is safe.
    const question = { query: query as ManyQuery<unknown, unknown>, key };
    return this.#batcher.submit(question) as Promise<Row[]>;
  }

  /**
   * Whether questions are answered, as far as is known; in doubt one is asked to find out. Other connections tell
   * nothing of this one: where PostgreSQL has too few of them left, some are got and others are not.
   */
  async canRead(): Promise<boolean> {
    if (!this.#isInDoubt) return true;
    try {
      await this.#lane.send([NOTHING]);
    } catch {
      return false;
    }
    this.#isInDoubt = false;
    return true;
  }

  async stop(): Promise<void> {
    await this.#batcher.drain();
    await this.#lane.close();
  }

  async #answer(batch: Waiting<Question, unknown[]>[], lane: Lane): Promise<void> {
    try {
      await answerTogether(batch, lane);
    } catch (error) {
      this.#isInDoubt ||= isUnavailable(error);
      throw error;
    }
  }
}

async function answerTogether(batch: Waiting<Question, unknown[]>[], lane: Lane): Promise<void> {
  const groups = [...groupBy(batch, ({ input }) => input.query)];
  const results = await lane.send(
    groups.map(([query, items]) =>
      query.statement([...new Set(items.map(({ input }) => input.key))]),
    ),
  );
  groups.forEach(([query, items], index) => {
    const answers = groupBy(results[index]?.rows ?? [], query.keyOf);
    for (const { input, resolve } of items) resolve(answers.get(input.key) ?? []);
  });
}
