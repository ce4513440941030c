import { isConflict, isLockTimeout, isServerError, isUnavailable } from "../db/errors.ts";
import { Lane } from "../db/lane.ts";
import { Batcher, type Waiting } from "../foundation/batcher.ts";
import type { Clock } from "../foundation/clock.ts";
import { Failure } from "../foundation/failure.ts";
import type { Claim } from "../references/claim.ts";
import { isReferenceTaken } from "../references/store.ts";
import type { Job, Verdict } from "./batch.ts";
import { commitBatch, OutcomeUnknown } from "./commit.ts";
import { findHeld, HeldAccounts } from "./held-accounts.ts";
import type { Operation } from "./operation.ts";
import { writeProbe } from "./write-probe.ts";

/** Two lanes share what is in flight, so that one decides while the other's batch is being written. */
const MAX_BATCH = 32;
/** Longer than a batch takes: whoever waits longer does not wait for company, but for somebody's lock. */
const PATIENCE_MS = 25;
const MAX_QUEUE = 10_000;
/** How many callers go on before what the database has sent meanwhile is looked at: accounts are locked until then. */
const ANSWERED_TOGETHER = 16;
/** How often work is run again that met another process, and work that lost its connection. */
const TRIES: Tries = { conflicts: 5, losses: 1 };
/** How long a job waits for a lock, when it is run alone because a batch could not get one. */
const LOCK_PATIENCE_MS = 400;
/** How long all that is run alone after such a batch may take; the lane has other work to do. */
const ALONE_PATIENCE_MS = 2_000;
/** Longer than a batch takes that meets a lock: one that still does not end makes us doubt that writes do. */
const LONG_MS = 8_000;
/** How long a stop waits for a database that does not answer. */
const DRAIN_MS = 5_000;

interface Tries {
  conflicts: number;
  losses: number;
}

export interface EngineOptions {
  connectionString: string;
  name: string;
  lanes: number;
  /** False for work whose last moments may be lost with the machine, as the References of reads. */
  durable: boolean;
  clock: Clock;
  /** For metrics. */
  onBatch?: (size: number, durationMs: number) => void;
}

/**
 * Runs everything that moves money: gathers what waits into a batch, locks and loads its rows, lets
 * the operations decide one after another in memory, writes all effects and commits once. Every
 * caller is answered after the commit.
 */
export class Engine {
  readonly #clock: Clock;
  readonly #lanes: Lane[];
  readonly #batcher: Batcher<Job, unknown, Lane>;
  readonly #onBatch: (size: number, durationMs: number) => void;
  readonly #held = new HeldAccounts();
  /** Whether a batch has failed for want of the database since a write was last tried for its own sake. */
  #isInDoubt = false;
  #probe: Promise<boolean> | undefined;

  constructor(options: EngineOptions) {
    const { connectionString, name, durable } = options;
    this.#clock = options.clock;
    this.#onBatch = options.onBatch ?? (() => undefined);
    this.#lanes = Array.from(
      { length: options.lanes },
      (_, n) => new Lane({ connectionString, name: `${name}-${n}`, durable }),
    );
    this.#batcher = new Batcher({
      lanes: this.#lanes,
      maxBatch: MAX_BATCH,
      maxQueue: MAX_QUEUE,
      patienceMs: PATIENCE_MS,
      run: (batch, lane) => this.#run(batch, lane),
      overload: () => new Failure("SERVICE_MALFUNCTION", { message: "The service is overloaded" }),
    });
  }

  /** Runs an operation, once per Reference, and resolves when its effects are durable. */
  run<Input, Answer>(
    operation: Operation<Input, Answer>,
    organizationId: string,
    input: Input,
    claim?: Claim,
  ): Promise<Answer> {
    // A job is decided only with the input it came with, so forgetting their common type is safe.
    const job = {
      operation: operation as Operation<unknown, unknown>,
      organizationId,
      input,
      claim,
    };
    return this.#batcher.submit(job) as Promise<Answer>;
  }

  /**
   * Whether writes work, as far as is known. In doubt one is made to find out: whoever hears that they do
   * not sends no more of them, so that nothing else would tell when they do. Other batches tell too little:
   * on a full disk small rows find room for long.
   */
  async canWrite(): Promise<boolean> {
    if (!this.#isInDoubt && this.#batcher.longestMs < LONG_MS) return true;
    this.#probe ??= this.#tryToWrite().finally(() => {
      this.#probe = undefined;
    });
    return this.#probe;
  }

  async #tryToWrite(): Promise<boolean> {
    try {
      await this.run(writeProbe, "", undefined);
    } catch (error) {
      // What is wrong with the probe alone, as where nobody may create tables, keeps no request from being served.
      if (isUnavailable(error) || error instanceof Failure) return false;
    }
    this.#isInDoubt = false;
    return true;
  }

  get queued(): number {
    return this.#batcher.queued;
  }

  /** Waits for what was submitted, within a bound, then closes the connections. */
  async stop(): Promise<void> {
    const deadline = setTimeout(() => {
      this.#batcher.refuse();
      for (const lane of this.#lanes) void lane.abandon();
    }, DRAIN_MS);
    await this.#batcher.drain();
    clearTimeout(deadline);
    await Promise.all(this.#lanes.map((lane) => lane.close()));
  }

  async #run(batch: Waiting<Job, unknown>[], lane: Lane): Promise<void> {
    const held = batch.filter(({ input }) => this.#held.concern(input));
    const free = held.length === 0 ? batch : batch.filter((item) => !held.includes(item));
    if (free.length > 0) await this.#commit(free, lane, TRIES);
    await this.#runAlone(held, lane);
  }

  async #commit(batch: Waiting<Job, unknown>[], lane: Lane, left: Tries): Promise<void> {
    const startedMs = performance.now();
    try {
      const jobs = batch.map((item) => item.input);
      settle(batch, await commitBatch(jobs, lane, () => this.#clock.now()));
    } catch (error) {
      if (isLockTimeout(error)) await this.#runAlone(batch, lane);
      else await this.#runAgain(batch, lane, error, left);
    }
    this.#onBatch(batch.length, performance.now() - startedMs);
  }

  /**
   * Runs one by one what needs an account that somebody keeps locked, or may need it, with little patience, and
   * refuses what would only wait for a lock that another has just waited for.
   */
  async #runAlone(batch: Waiting<Job, unknown>[], lane: Lane): Promise<void> {
    const deadlineMs = performance.now() + ALONE_PATIENCE_MS;
    for (const item of batch) {
      const { input: job } = item;
      if (this.#held.wereTried(job) || performance.now() > deadlineMs) {
        const failure = new Failure("SERVICE_MALFUNCTION", { message: "An account is locked" });
        settle([item], [{ failure, isUnsettled: true }]);
        continue;
      }
      try {
        const now = () => this.#clock.now();
        settle([item], await commitBatch([job], lane, now, LOCK_PATIENCE_MS));
        this.#held.clear(job);
      } catch (error) {
        if (isLockTimeout(error)) {
          this.#held.mark(await findHeld(job, lane, LOCK_PATIENCE_MS));
          item.reject(error);
        } else {
          await this.#runAgain([item], lane, error, TRIES);
        }
      }
    }
  }

  /**
   * A batch that failed is run again item by item, so that one bad item hurts nobody else. An item that
   * met another process is judged again, now that the other is done; a batch that lost its connection
   * gets one more, as it is.
   */
  async #runAgain(
    batch: Waiting<Job, unknown>[],
    lane: Lane,
    error: unknown,
    { conflicts, losses }: Tries,
  ): Promise<void> {
    const isLost = !isServerError(error) && isUnavailable(error);
    const mayPass = isConflict(error) || isReferenceTaken(error);
    const isHopeless = batch.length === 1 && !isLost && !mayPass;
    const isOver = isLost ? losses === 0 : conflicts === 0;
    const isUnknown = error instanceof OutcomeUnknown;
    if (isOver || isHopeless || isUnknown) {
      this.#isInDoubt ||= isUnknown || isUnavailable(error);
      for (const item of batch) item.reject(error);
    } else if (isLost) {
      await this.#commit(batch, lane, { conflicts, losses: losses - 1 });
    } else {
      const left = { conflicts: conflicts - 1, losses };
      for (const item of batch) await this.#commit([item], lane, left);
    }
  }
}

/** Answers a few callers at a time, and none before the lane has its next batch: the database works on that meanwhile. */
function settle(batch: Waiting<Job, unknown>[], verdicts: Verdict[]): void {
  if (batch.length === 0) return;
  setImmediate(() => {
    for (const [index, item] of batch.slice(0, ANSWERED_TOGETHER).entries()) {
      answer(item, verdicts[index]);
    }
    settle(batch.slice(ANSWERED_TOGETHER), verdicts.slice(ANSWERED_TOGETHER));
  });
}

function answer(item: Waiting<Job, unknown>, verdict: Verdict | undefined): void {
  const { claim } = item.input;
  const isUnsettled = verdict !== undefined && "isUnsettled" in verdict;
  if (claim !== undefined && !isUnsettled) claim.settled = true;
  if (verdict === undefined) item.reject(new Error("The batch gave no verdict."));
  else if ("failure" in verdict) item.reject(verdict.failure);
  else item.resolve(verdict.answer);
}
