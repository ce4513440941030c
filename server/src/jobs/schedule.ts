import { FailureLog } from "../foundation/failure-log.ts";
import type { Log } from "../foundation/log.ts";

export interface ScheduledJob {
  name: string;
  everyMs: number;
  run(): Promise<unknown>;
}

interface Planned {
  job: ScheduledJob;
  failures: FailureLog;
}

/** Runs background jobs side by side, each again an interval after it ended; a failure waits for the next turn. */
export class Schedule {
  readonly #log: Log;
  readonly #waiting = new Map<string, Planned & { timer: NodeJS.Timeout }>();
  readonly #running = new Map<string, Promise<void>>();
  /** Those who were woken while they ran. */
  readonly #woken = new Set<string>();
  #stopped = false;

  constructor(log: Log) {
    this.#log = log;
  }

  add(job: ScheduledJob): void {
    this.#plan({ job, failures: new FailureLog(this.#log, job.name, "a job failed") });
  }

  /** Runs a job now instead of at its next turn; one that is running, which may have looked already, once more. */
  wake(name: string): void {
    if (this.#running.has(name)) this.#woken.add(name);
    const waiting = this.#waiting.get(name);
    if (waiting === undefined || this.#stopped) return;
    clearTimeout(waiting.timer);
    this.#run(waiting);
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    for (const { timer } of this.#waiting.values()) clearTimeout(timer);
    await Promise.all(this.#running.values());
  }

  #plan(planned: Planned): void {
    if (this.#stopped) return;
    const { name, everyMs } = planned.job;
    const timer = setTimeout(() => this.#run(planned), this.#woken.delete(name) ? 0 : everyMs);
    timer.unref();
    this.#waiting.set(name, { ...planned, timer });
  }

  #run({ job, failures }: Planned): void {
    this.#waiting.delete(job.name);
    const run = job
      .run()
      .then(() => failures.worked())
      .catch((error: unknown) => failures.failed(error))
      .finally(() => {
        this.#running.delete(job.name);
        this.#plan({ job, failures });
      });
    this.#running.set(job.name, run);
  }
}
