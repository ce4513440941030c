import type { Log } from "../foundation/log.ts";

export interface ScheduledJob {
  name: string;
  everyMs: number;
  run(): Promise<void>;
}

/** Runs background jobs one after another at their intervals, until stopped; a failure waits for the next turn. */
export class Schedule {
  readonly #log: Log;
  readonly #timers = new Map<string, NodeJS.Timeout>();
  readonly #running = new Set<Promise<void>>();
  #stopped = false;

  constructor(log: Log) {
    this.#log = log;
  }

  add(job: ScheduledJob): void {
    if (this.#stopped) return;
    const timer = setTimeout(() => this.#run(job), job.everyMs);
    timer.unref();
    this.#timers.set(job.name, timer);
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    for (const timer of this.#timers.values()) clearTimeout(timer);
    await Promise.all(this.#running);
  }

  #run(job: ScheduledJob): void {
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
