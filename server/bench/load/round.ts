import { type Answer, isSuccess } from "./answer.ts";
import type { Connection, Listener } from "./connection.ts";
import { Latencies } from "./latencies.ts";
import type { SignedRequests } from "./requests.ts";
import { ClosedLoop, OpenLoop, type Supply } from "./schedule.ts";

const PATIENCE_MS = 30_000;
const SHOWN_BYTES = 2_000;
const TICK_MS = 1;

export interface LoadOptions {
  seconds: number;
  /** Sent at this rate whatever the answers; none: as fast as all connections are answered. */
  perSecond?: number;
}

export interface LoadResult {
  /** All of them, those after the clock stopped too. */
  answers: number;
  perSecond: number;
  p50Ms: number;
  p99Ms: number;
  /** How late requests were sent, because no connection was free or the generator had no time. */
  sentLateP99Ms: number;
  /** CPU time of the load generator for each request. */
  loadCpuUs: number;
}

/** Sends requests for some seconds and notes how long each answer took. */
export class Round implements Listener {
  readonly #requests: SignedRequests;
  readonly #latencies = new Latencies();
  readonly #delays = new Latencies();
  readonly #idle: Connection[];
  #supply: Supply = new ClosedLoop(0, 0);
  #countedMs = 0;
  #inFlight = 0;
  #answers = 0;
  #isBroken = false;
  #resolve: () => void = () => undefined;
  #reject: (error: Error) => void = () => undefined;

  constructor(requests: SignedRequests, connections: readonly Connection[]) {
    this.#requests = requests;
    this.#idle = [...connections];
  }

  async run(options: LoadOptions): Promise<LoadResult> {
    const cpu = process.cpuUsage();
    const startMs = performance.now();
    await this.#play(startMs, options);
    const { user, system } = process.cpuUsage(cpu);
    // An open loop that was not kept up with goes on until everything is answered.
    const seconds = Math.max(options.seconds, (this.#countedMs - startMs) / 1_000);
    return {
      answers: this.#answers,
      perSecond: this.#latencies.count / seconds,
      ...this.#latencies.p50AndP99(),
      sentLateP99Ms: this.#delays.p50AndP99().p99Ms,
      loadCpuUs: (user + system) / this.#answers,
    };
  }

  answered(connection: Connection, bytes: Buffer, answer: Answer): void {
    const nowMs = performance.now();
    this.#inFlight--;
    this.#answers++;
    if (!isSuccess(bytes, answer)) {
      const text = bytes.toString("utf8", 0, Math.min(answer.end, SHOWN_BYTES));
      this.broken(`a request was not answered with 200 and code 000, but with:\n\n${text}\n`);
      return;
    }
    if (this.#supply.counts(nowMs)) {
      this.#countedMs = nowMs;
      this.#latencies.add(nowMs - connection.dueMs);
    }
    this.#idle.push(connection);
    this.#feed(nowMs);
  }

  broken(reason: string): void {
    this.#isBroken = true;
    this.#reject(new Error(reason));
  }

  async #play(startMs: number, { seconds, perSecond }: LoadOptions): Promise<void> {
    this.#supply =
      perSecond === undefined
        ? new ClosedLoop(startMs, seconds)
        : new OpenLoop(startMs, { perSecond, seconds });
    // In a closed loop whatever is answered sets off the next.
    const ticks =
      perSecond === undefined
        ? undefined
        : setInterval(() => this.#feed(performance.now()), TICK_MS);
    const patience = setTimeout(
      () => this.broken(`${this.#inFlight} requests were not answered within 30 s`),
      seconds * 1_000 + PATIENCE_MS,
    );
    try {
      await new Promise<void>((resolve, reject) => {
        this.#resolve = resolve;
        this.#reject = reject;
        this.#feed(startMs);
      });
    } finally {
      clearInterval(ticks);
      clearTimeout(patience);
    }
  }

  /** Sends what is due on connections that are free. */
  #feed(nowMs: number): void {
    if (this.#isBroken) return;
    for (
      let connection = this.#idle.pop();
      connection !== undefined;
      connection = this.#idle.pop()
    ) {
      const dueMs = this.#supply.take(nowMs);
      if (dueMs === undefined) {
        this.#idle.push(connection);
        break;
      }
      this.#delays.add(nowMs - dueMs);
      this.#inFlight++;
      connection.send(this.#requests.stamp(connection.request), dueMs);
    }
    if (this.#inFlight === 0 && this.#supply.isOver(nowMs)) this.#resolve();
  }
}
