import type { IncomingHttpHeaders } from "node:http";
import type { Dispatcher } from "undici";
import { Deadline } from "./deadline.ts";
import {
  Abandoned,
  type Answered,
  type Failed,
  failed,
  failedBy,
  type Outcome,
} from "./outcome.ts";

export interface ExchangeOptions {
  /** When the call was made, by `performance.now()`; unless given, now. */
  startedMs?: number;
  /** For the whole exchange, from the call to the last byte of the answer. */
  timeoutMs: number;
  /** How long, from the call, to go on reading for whoever wants to know of a late answer; asked when it is late. */
  lateMs(): number;
  maxResponseBytes: number;
  /** Called once, when the connection is free again. */
  onEnd(): void;
}

/**
 * One request and its answer. The outcome is there at the deadline at the latest, within a millisecond or
 * two, whatever the other side does: it may answer in drops, or too much. A time-out never comes before it.
 */
export class Exchange implements Dispatcher.DispatchHandler {
  readonly outcome: Promise<Outcome>;
  readonly #options: ExchangeOptions;
  readonly #startedMs: number;
  readonly #chunks: Buffer[] = [];
  #bytes = 0;
  #status = 0;
  #headers: IncomingHttpHeaders = {};
  #controller: Dispatcher.DispatchController | undefined;
  #abandonedFor: Abandoned | undefined;
  #deadline: Deadline;
  #settle: (outcome: Outcome) => void;
  #hasEnded = false;
  #isSettled = false;

  constructor(options: ExchangeOptions) {
    this.#options = options;
    this.#startedMs = options.startedMs ?? performance.now();
    let settle: (outcome: Outcome) => void = () => undefined;
    this.outcome = new Promise((resolve) => {
      settle = resolve;
    });
    this.#settle = settle;
    this.#deadline = new Deadline(this.#startedMs + options.timeoutMs, () => {
      // Timers come before sockets: an answer that has been there while we were busy is read first.
      setImmediate(() => this.#timeOut());
    });
  }

  /** Ends it at once. */
  abandon(reason: Abandoned): void {
    if (this.#hasEnded) return;
    this.#abandonedFor = reason;
    this.#finish(failed(reason.reason, this.#elapsedMs()));
    this.#controller?.abort(reason);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    // It was given up while it waited for a connection.
    if (this.#abandonedFor !== undefined) controller.abort(this.#abandonedFor);
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: IncomingHttpHeaders,
  ): void {
    if (status < 200) return;
    this.#status = status;
    this.#headers = headers;
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    const room = this.#options.maxResponseBytes - this.#bytes;
    this.#chunks.push(chunk.length <= room ? chunk : chunk.subarray(0, room));
    this.#bytes += Math.min(chunk.length, room);
    if (chunk.length <= room) return;
    this.#finish(this.#answer(true));
    controller.abort(new Abandoned("TooLarge"));
  }

  onResponseEnd(): void {
    this.#finish(this.#answer(false));
    this.#end();
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#finish(failedBy(error, this.#elapsedMs()));
    this.#end();
  }

  #timeOut(): void {
    if (this.#isSettled) return;
    const { timeoutMs } = this.#options;
    const lateMs = this.#options.lateMs();
    if (lateMs <= timeoutMs) {
      this.abandon(new Abandoned("Timeout"));
      return;
    }
    const tell = this.#settle;
    const late = new Promise<Outcome>((resolve) => {
      this.#settle = resolve;
    });
    const giveUp = () => this.abandon(new Abandoned("Timeout"));
    this.#deadline = new Deadline(this.#startedMs + lateMs, giveUp);
    tell({ ...failed("Timeout", this.#elapsedMs()), late });
  }

  #answer(truncated: boolean): Answered | Failed {
    const durationMs = this.#elapsedMs();
    if (this.#status >= 300 && this.#status < 400) {
      return { ...failed("Redirected", durationMs), status: this.#status };
    }
    const { "retry-after": retryAfter } = this.#headers;
    const body = this.#chunks.length === 1 ? this.#chunks[0] : undefined;
    return {
      isAnswer: true,
      status: this.#status,
      body: body ?? Buffer.concat(this.#chunks),
      truncated,
      durationMs,
      ...(retryAfter === undefined ? {} : { retryAfter }),
    };
  }

  /** The first word counts; a promise takes no second. */
  #finish(outcome: Outcome): void {
    this.#deadline.cancel();
    this.#isSettled = true;
    this.#settle(outcome);
  }

  #end(): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#options.onEnd();
  }

  #elapsedMs(): number {
    return performance.now() - this.#startedMs;
  }
}
