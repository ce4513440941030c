import type { Log } from "../foundation/log.ts";

export interface ScheduledJob {
  name: string;
  everyMs: number;
  run(): Promise<void>;
}

/** Runs background jobs one after another at their intervals, until stopped; a failure waits for the next turn. */
export class Schedule {
  readonly #log: Log;
  readonly #waiting = new Map<string, { job: ScheduledJob; timer: NodeJS.Timeout }>();
  readonly #running = new Set<Promise<void>>();
  #stopped = false;

  constructor(log: Log) {
    this.#log = log;
  }

  add(job: ScheduledJob): void {
    if (this.#stopped) return;
    const timer = setTimeout(() => this.#run(job), job.everyMs);
    timer.unref();
    this.#waiting.set(job.name, { job, timer });
  }

  /** Runs a job now instead of at its next turn, unless it is running already. */
  wake(name: string): void {
    const waiting = this.#waiting.get(name);
    if (waiting === undefined || this.#stopped) return;
    clearTimeout(waiting.timer);
    this.#run(waiting.job);
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    for (const { timer } of this.#waiting.values()) clearTimeout(timer);
    await Promise.all(this.#running);
  }

  #run(job: ScheduledJob): void {
    this.#waiting.delete(job.name);
    const run = job
      .run()
      .catch((error: unknown) => this.#log.warn({ err: error, job: job.name }, "a job failed"))
      .finally(() => {
        this.#running.delete(run);
        this.add(job);
      });
    this.#running.add(run);
  }
}
