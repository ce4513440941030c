import { setImmediate as endOfTurn } from "node:timers/promises";
import type { buildConnector } from "undici";
import { CircuitBreaker, CircuitOpen } from "../../foundation/circuit-breaker.ts";
import { Deadline } from "../../outbound/deadline.ts";
import { Exchange } from "../../outbound/exchange.ts";
import { type Failed, failed, failedBy, type Outcome } from "../../outbound/outcome.ts";
import { Connection, openSocket, type Posted } from "./connection.ts";

export interface LineTimes {
  /** From sending to the last byte of the answer. */
  answerMs: number;
  /** How long, from sending, an answer that came too late is still read. */
  lateMs: number;
  /** How long to wait for a connection; more would keep the card network waiting too long. */
  connectionMs: number;
}

export const TIMES: LineTimes = { answerMs: 400, lateMs: 2_000, connectionMs: 400 };

/** How many late answers are waited for at once; they keep connections from others. */
const MAX_LATE = 32;
const MAX_WAITING = 2_000;
const MAX_CONNECTIONS = 64;
/** So many at a time: more would slow each other down until all of them are too late. */
const MAX_HANDSHAKES = 8;
/** Connections that are kept open for the next to come, and for how long after the last one. */
const WARM_CONNECTIONS = 2;
const WARM_MS = 300_000;
const WARM_PAUSE_MS = 1_000;
const MAX_ANSWER_BYTES = 64 * 1024;

const BREAKER = { maxFaults: 5, openMs: 1_000, maxOpenMs: 30_000 };

interface Waiting {
  settle(connection: Connection | Failed): void;
}

/**
 * The connections to one Authorization URL. A question is sent on a live connection only, whichever
 * becomes free first, so that its time is the other side's alone; new ones are opened a few at a time,
 * and fewer still while they fail.
 */
export class Line {
  readonly #url: URL;
  readonly #connect: buildConnector.connector;
  readonly #times: LineTimes;
  readonly #breaker: CircuitBreaker;
  readonly #live = new Set<Connection>();
  readonly #waiting = new Set<Waiting>();
  #idle: Connection[] = [];
  #opening = 0;
  #late = 0;
  #usedAtMs = performance.now();
  #warming: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(url: URL, connect: buildConnector.connector, times: LineTimes = TIMES) {
    this.#url = url;
    this.#connect = connect;
    this.#times = times;
    this.#breaker = new CircuitBreaker({
      ...BREAKER,
      nowMs: () => performance.now(),
      isFault: () => true,
    });
  }

  get usedAtMs(): number {
    return this.#usedAtMs;
  }

  /** Opens connections before they are needed. */
  warm(): void {
    this.#usedAtMs = performance.now();
    this.#grow();
  }

  /** Always has an outcome in time, and never throws. */
  async send(message: Posted): Promise<Outcome> {
    this.#usedAtMs = performance.now();
    const connection = await this.#take();
    if (!(connection instanceof Connection)) return connection;
    const sentMs = performance.now();
    const { hasRested } = connection;
    const outcome = await this.#exchange(connection, message, sentMs);
    // The other side had closed it while it was idle; sending the same message again does no harm.
    const isStale = hasRested && !outcome.isAnswer && outcome.reason === "ConnectionFailed";
    return isStale ? this.#sendAgain(message, sentMs, outcome) : outcome;
  }

  /** Lets exchanges under way come to their end, and takes no more. */
  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#warming);
    for (const connection of this.#idle) connection.close();
    this.#failWaiting(failed("Stopped", 0));
  }

  async #sendAgain(message: Posted, sentMs: number, before: Outcome): Promise<Outcome> {
    // Until the end of the turn, by when other connections that were closed with this one are known to be.
    await endOfTurn();
    const leftMs = (): number => this.#times.answerMs - (performance.now() - sentMs);
    if (leftMs() <= 1) return before;
    const connection = await this.#take();
    if (!(connection instanceof Connection)) return before;
    if (leftMs() > 1) {
      return { ...(await this.#exchange(connection, message, sentMs)), isSecondTry: true };
    }
    this.#release(connection);
    return before;
  }

  async #exchange(connection: Connection, message: Posted, startedMs: number): Promise<Outcome> {
    const { answerMs: timeoutMs, lateMs } = this.#times;
    const exchange = new Exchange({
      startedMs,
      timeoutMs,
      lateMs: () => (lateMs > timeoutMs && this.#waitLate() ? lateMs : timeoutMs),
      maxResponseBytes: MAX_ANSWER_BYTES,
      // Only in the next turn is it known whether the connection outlives the exchange.
      onEnd: () => setImmediate(() => this.#release(connection)),
    });
    connection.post(message, exchange);
    const outcome = await exchange.outcome;
    if (outcome.isAnswer) return outcome;
    void outcome.late?.then(() => {
      this.#late -= 1;
    });
    return { ...outcome, isSent: true };
  }

  #waitLate(): boolean {
    if (this.#late >= MAX_LATE) return false;
    this.#late += 1;
    return true;
  }

  #take(): Promise<Connection | Failed> {
    const idle = this.#idle.pop();
    if (idle !== undefined) return Promise.resolve(idle);
    if (this.#isClosed) return Promise.resolve(failed("Stopped", 0));
    if (this.#waiting.size >= MAX_WAITING) return Promise.resolve(failed("Overloaded", 0));
    return new Promise((resolve) => {
      const startedMs = performance.now();
      const waiting: Waiting = {
        settle: (result) => {
          deadline.cancel();
          this.#waiting.delete(waiting);
          const durationMs = performance.now() - startedMs;
          resolve(result instanceof Connection ? result : { ...result, durationMs });
        },
      };
      const late = failed("Timeout", 0, "No connection in time");
      const dueMs = startedMs + this.#times.connectionMs;
      const deadline = new Deadline(dueMs, () => waiting.settle(late));
      this.#waiting.add(waiting);
      this.#grow();
    });
  }

  #release(connection: Connection): void {
    if (!connection.isAlive) return;
    if (this.#isClosed) {
      connection.close();
      return;
    }
    connection.hasRested = true;
    this.#offer(connection);
  }

  #offer(connection: Connection): void {
    const [next] = this.#waiting;
    if (next !== undefined) {
      next.settle(connection);
      return;
    }
    connection.hasRested = true;
    this.#idle.push(connection);
  }

  #grow(): void {
    const isWarm = performance.now() - this.#usedAtMs < WARM_MS;
    const spare = isWarm ? WARM_CONNECTIONS - this.#live.size : 0;
    const wanted = Math.min(Math.max(this.#waiting.size, spare), MAX_HANDSHAKES);
    while (
      !this.#isClosed &&
      this.#opening < wanted &&
      this.#live.size + this.#opening < MAX_CONNECTIONS
    ) {
      void this.#open();
    }
  }

  async #open(): Promise<void> {
    this.#opening += 1;
    try {
      const socket = await this.#breaker.run(() => openSocket(this.#connect, this.#url));
      this.#opening -= 1;
      this.#admit(new Connection(this.#url, socket, (gone) => this.#drop(gone)));
    } catch (error) {
      this.#opening -= 1;
      // A message that waits may still get a connection that is busy now.
      if (this.#live.size + this.#opening === 0) this.#failWaiting(whyNot(error));
    }
  }

  #admit(connection: Connection): void {
    this.#live.add(connection);
    if (this.#isClosed) {
      connection.close();
      return;
    }
    this.#offer(connection);
    this.#grow();
  }

  #drop(connection: Connection): void {
    this.#live.delete(connection);
    this.#idle = this.#idle.filter((other) => other !== connection);
    if (this.#waiting.size > 0) this.#grow();
    else this.#keepWarm();
  }

  /** Opens connections again after a pause: the other side may close each as soon as it is open. */
  #keepWarm(): void {
    if (this.#isClosed || this.#warming !== undefined) return;
    this.#warming = setTimeout(() => {
      this.#warming = undefined;
      this.#grow();
    }, WARM_PAUSE_MS).unref();
  }

  #failWaiting(reason: Failed): void {
    for (const waiting of this.#waiting) waiting.settle(reason);
  }
}

function whyNot(error: unknown): Failed {
  return error instanceof CircuitOpen
    ? failed("ConnectionFailed", 0, "The address could not be reached lately, and is given a rest")
    : failedBy(error, 0);
}
