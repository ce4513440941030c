import { setTimeout as sleep } from "node:timers/promises";
import { ProviderDown, ProviderSlow } from "../../customers/port.ts";
import { CircuitBreaker, CircuitOpen } from "../../foundation/circuit-breaker.ts";
import { type Deadline, withDeadline } from "./deadline.ts";
import { FailedAttempt, readAnswer, type SumsubAnswer, transportFailure } from "./exchange.ts";
import { authHeaders, type SumsubCredentials } from "./sign.ts";

export interface SumsubClientOptions extends SumsubCredentials {
  baseUrl: string;
  maxAttempts?: number;
  /** What one attempt of a repeatable request may take, its answer's last byte included. */
  attemptTimeoutMs?: number;
  /** The longest wait before the second attempt; it doubles from there. */
  backOffMs?: number;
  maxAnswerBytes?: number;
  /** Attempts in a row that must fail before Sumsub is left alone, and for how long at first. */
  maxFaults?: number;
  openMs?: number;
  /** Real time, for the signature. */
  nowMs?: () => number;
  /** Time that nobody can set, for the circuit breaker. */
  monotonicMs?: () => number;
  random?: () => number;
}

const DEFAULTS = {
  maxAttempts: 3,
  attemptTimeoutMs: 4_000,
  backOffMs: 250,
  maxAnswerBytes: 1024 * 1024,
  maxFaults: 8,
  openMs: 5_000,
  nowMs: Date.now,
  monotonicMs: () => performance.now(),
  random: Math.random,
};

const MAX_OPEN_MS = 60_000;

export interface SumsubRequest {
  method: "GET" | "POST";
  path: string;
  body?: { contentType: string; body: Buffer } | undefined;
  /**
   * Whether sending it twice does no more than sending it once. If not, it is repeated only when it
   * surely was not carried out, and one attempt may take all the time there is.
   */
  repeatable: boolean;
  attemptTimeoutMs?: number;
  /** For the whole, all attempts and waits included. */
  deadline: Deadline;
}

/**
 * Signed requests to Sumsub, with a time limit, careful repetition and a circuit breaker. It throws
 * `ProviderDown` and `ProviderSlow` only.
 */
export class SumsubClient {
  readonly #options: Required<SumsubClientOptions>;
  readonly #breaker: CircuitBreaker;

  constructor(options: SumsubClientOptions) {
    this.#options = { ...DEFAULTS, ...options };
    this.#breaker = new CircuitBreaker({
      maxFaults: this.#options.maxFaults,
      openMs: this.#options.openMs,
      maxOpenMs: MAX_OPEN_MS,
      nowMs: this.#options.monotonicMs,
      isFault: (error) => error instanceof FailedAttempt && error.isFault,
    });
  }

  async call(request: SumsubRequest): Promise<SumsubAnswer> {
    for (let attempt = 1; ; attempt++) {
      if (request.deadline.signal.aborted) throw tooSlow();
      try {
        return await this.#breaker.run(() => this.#attempt(request));
      } catch (error) {
        const failed = judge(error, request.deadline);
        if (!mayRepeat(failed, request) || attempt >= this.#options.maxAttempts) {
          throw providerError(failed);
        }
        await this.#wait(attempt, failed, request.deadline);
      }
    }
  }

  #attempt(request: SumsubRequest): Promise<SumsubAnswer> {
    const { repeatable, attemptTimeoutMs, deadline } = request;
    if (!repeatable) return this.#exchange(request, deadline.signal);
    const timeoutMs = attemptTimeoutMs ?? this.#options.attemptTimeoutMs;
    return withDeadline(timeoutMs, deadline.signal, ({ signal }) =>
      this.#exchange(request, signal),
    );
  }

  async #exchange(request: SumsubRequest, signal: AbortSignal): Promise<SumsubAnswer> {
    const { method, path, body } = request;
    const url = new URL(this.#options.baseUrl + path);
    const target = url.pathname + url.search;
    const signed = { method, target, body: body?.body };
    try {
      const answer = await fetch(url, {
        method,
        headers: {
          ...authHeaders(this.#options, signed, this.#options.nowMs()),
          Accept: "application/json",
          "Content-Type": body?.contentType ?? "application/json",
        },
        body: body?.body ?? null,
        redirect: "manual",
        signal,
      });
      return await readAnswer(answer, this.#options.maxAnswerBytes);
    } catch (error) {
      throw error instanceof FailedAttempt ? error : transportFailure(error, signal);
    }
  }

  async #wait(attempt: number, failed: FailedAttempt, deadline: Deadline): Promise<void> {
    const { backOffMs, random } = this.#options;
    // Up to the full step at random, so that those who failed together do not return together.
    const waitMs = failed.retryAfterMs ?? random() * backOffMs * 2 ** (attempt - 1);
    // There is no sense in a wait after which it is too late.
    if (waitMs >= deadline.leftMs()) throw providerError(failed);
    try {
      await sleep(waitMs, undefined, { signal: deadline.signal });
    } catch {
      throw tooSlow();
    }
  }
}

function judge(error: unknown, deadline: Deadline): FailedAttempt {
  if (deadline.signal.aborted) throw tooSlow();
  if (error instanceof CircuitOpen) throw new ProviderDown("Sumsub failed too often of late");
  if (error instanceof FailedAttempt) return error;
  throw error;
}

function mayRepeat({ retry }: FailedAttempt, { repeatable }: SumsubRequest): boolean {
  return retry === "Always" || (retry === "IfRepeatable" && repeatable);
}

function providerError({ isTimeout, message, cause }: FailedAttempt): ProviderDown | ProviderSlow {
  if (isTimeout) return tooSlow();
  return new ProviderDown(message, cause === undefined ? undefined : { cause });
}

function tooSlow(): ProviderSlow {
  return new ProviderSlow("Sumsub did not answer in time");
}
