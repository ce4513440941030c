import { quantile } from "../statistics.ts";
import { type Answer, isSuccess } from "./answer.ts";
import type { Connection, Listener } from "./connection.ts";
import type { SignedRequests } from "./requests.ts";

const PATIENCE_MS = 30_000;
const SHOWN_BYTES = 2_000;

export interface LoadResult {
  /** All of them, those after the clock stopped too. */
  answers: number;
  perSecond: number;
  p50Ms: number;
  p99Ms: number;
  /** CPU time of the load generator for each request. */
  loadCpuUs: number;
}

/** Keeps every connection busy for some seconds and notes how long each answer took. */
export class Round implements Listener {
  readonly #requests: SignedRequests;
  readonly #latenciesMs: number[] = [];
  #deadlineMs = 0;
  #inFlight = 0;
  #answers = 0;
  #resolve: () => void = () => undefined;
  #reject: (error: Error) => void = () => undefined;

  constructor(requests: SignedRequests) {
    this.#requests = requests;
  }

  async run(connections: readonly Connection[], seconds: number): Promise<LoadResult> {
    const cpu = process.cpuUsage();
    await this.#play(connections, seconds);
    const { user, system } = process.cpuUsage(cpu);
    const sorted = Float64Array.from(this.#latenciesMs).sort();
    return {
      answers: this.#answers,
      perSecond: sorted.length / seconds,
      p50Ms: quantile(sorted, 0.5),
      p99Ms: quantile(sorted, 0.99),
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
    } else if (nowMs < this.#deadlineMs) {
      this.#latenciesMs.push(nowMs - connection.sentMs);
      this.#send(connection, nowMs);
    } else if (this.#inFlight === 0) {
      this.#resolve();
    }
  }

  broken(reason: string): void {
    this.#deadlineMs = 0;
    this.#reject(new Error(reason));
  }

  #play(connections: readonly Connection[], seconds: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const startMs = performance.now();
      this.#deadlineMs = startMs + seconds * 1_000;
      const patience = setTimeout(
        () => reject(new Error(`${this.#inFlight} requests were not answered within 30 s`)),
        seconds * 1_000 + PATIENCE_MS,
      );
      this.#resolve = () => {
        clearTimeout(patience);
        resolve();
      };
      this.#reject = (error) => {
        clearTimeout(patience);
        reject(error);
      };
      for (const connection of connections) this.#send(connection, startMs);
    });
  }

  #send(connection: Connection, nowMs: number): void {
    const length = this.#requests.stamp(connection.request);
    this.#inFlight++;
    connection.send(length, nowMs);
  }
}
