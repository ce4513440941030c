import { BEGIN, COMMIT, type Lane } from "../../db/lane.ts";
import { Batcher, type Waiting } from "../../foundation/batcher.ts";
import type { Clock } from "../../foundation/clock.ts";
import { FailureLog } from "../../foundation/failure-log.ts";
import type { Log } from "../../foundation/log.ts";
import type { AttemptResult } from "./attempt-result.ts";
import { MAX_IN_HAND } from "./queue.ts";
import { recordAttempts } from "./result-store.ts";

/** A quarter of what one endpoint may have in hand, so that it is sent to while what it has had is recorded. */
const MAX_BATCH = MAX_IN_HAND / 4;
/** Of what may be in hand: a batch that can never be full would always wait. */
const SHARE = 1 / 8;
const MAX_QUEUE = 20_000;
/** Nobody waits for a record, and one transaction for many costs far less than one for each. */
const REST_MS = 50;

/** Writes down what came of attempts, those that come together in one transaction. */
export class ResultRecorder {
  readonly #failures: FailureLog;
  readonly #batcher: Batcher<AttemptResult, void, Lane>;

  constructor({
    lane,
    clock,
    log,
    maxInHand,
  }: { lane: Lane; clock: Clock; log: Log; maxInHand: number }) {
    this.#failures = new FailureLog(
      log,
      "webhook-results",
      "the results of deliveries could not be recorded; they are sent again",
    );
    this.#batcher = new Batcher({
      lanes: [lane],
      maxBatch: Math.min(MAX_BATCH, Math.ceil(maxInHand * SHARE)),
      maxQueue: MAX_QUEUE,
      restMs: REST_MS,
      run: (batch, on) => this.#write(batch, on, clock),
      overload: () => new Error("Too many results wait to be recorded."),
    });
  }

  /** A result that cannot be recorded is as if the attempt had not been made: it is made again. */
  async record(result: AttemptResult): Promise<void> {
    await this.#batcher.submit(result).catch((error: unknown) => this.#failures.failed(error));
  }

  /** What is not recorded by now will be sent again. */
  giveUp(): void {
    this.#batcher.refuse();
  }

  drain(): Promise<void> {
    return this.#batcher.drain();
  }

  async #write(batch: Waiting<AttemptResult, void>[], lane: Lane, clock: Clock): Promise<void> {
    const results = batch.map(({ input }) => input);
    await lane.send([BEGIN, ...recordAttempts(results, clock.now()), COMMIT]);
    this.#failures.worked();
    for (const { resolve } of batch) resolve();
  }
}
