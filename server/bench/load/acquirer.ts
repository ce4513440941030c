import { AcquirerConnection } from "../../src/network/acquirer/connection.ts";
import { drive } from "../../src/network/acquirer/driver.ts";
import { type PresentedCard, Terminal } from "../../src/network/acquirer/terminal.ts";
import type { Message } from "../../src/network/iso8583/fields.ts";
import { collectGarbage } from "../garbage.ts";
import type { Role } from "../roles.ts";
import { Latencies } from "./latencies.ts";
import type { LoadOptions } from "./round.ts";
import { ClosedLoop, OpenLoop } from "./schedule.ts";

const IN_FLIGHT = 64;
const AMOUNT_MINOR = 125n;
const TICK_MS = 1;
const APPROVED = "00";

export interface AcquirerResult {
  /** All of them, those after the clock stopped too. */
  answers: number;
  perSecond: number;
  p50Ms: number;
  p99Ms: number;
  /** CPU time of the acquirer for each message. */
  loadCpuUs: number;
}

export interface Acquirer {
  /** Opens its one connection, to be used with these cards, each as likely as any other. */
  connect(port: number, cards: PresentedCard[]): Promise<void>;
  /** Writes purchases in advance. */
  write(count: number): Promise<void>;
  run(options: LoadOptions): Promise<AcquirerResult>;
}

/** An acquirer with one connection to the gateway, in a process of its own. */
export const acquirer: Role<Acquirer> = () => {
  const terminal = new Terminal();
  let connection: AcquirerConnection | undefined;
  let known: PresentedCard[] = [];
  let written: Message[] = [];
  const write = (): Message => {
    const card = known[Math.floor(Math.random() * known.length)];
    if (card === undefined) throw new Error("There are no cards.");
    return terminal.purchase(card, AMOUNT_MINOR);
  };
  return {
    connect: async (port, cards) => {
      connection?.cut();
      connection = await AcquirerConnection.open({ host: "127.0.0.1", port });
      await connection.ask(terminal.management("001"));
      known = cards;
      written = [];
    },
    write: async (count) => {
      written = Array.from({ length: count }, write);
    },
    run: async (options) => {
      if (connection === undefined) throw new Error("The acquirer is not connected.");
      collectGarbage();
      return play(connection, () => written.pop() ?? write(), options);
    },
  };
};

async function play(
  connection: AcquirerConnection,
  next: () => Message,
  options: LoadOptions,
): Promise<AcquirerResult> {
  const { seconds, perSecond } = options;
  const cpu = process.cpuUsage();
  const startMs = performance.now();
  const tally = new Tally(startMs);
  if (perSecond === undefined) {
    await keepBusy(connection, next, new ClosedLoop(startMs, seconds), tally);
  } else {
    await keepTime(connection, next, new OpenLoop(startMs, { perSecond, seconds }), tally);
  }
  const { user, system } = process.cpuUsage(cpu);
  return { ...tally.result(seconds), loadCpuUs: (user + system) / tally.answers };
}

/** As many messages in flight as there may be, one after another. */
async function keepBusy(
  connection: AcquirerConnection,
  next: () => Message,
  loop: ClosedLoop,
  tally: Tally,
): Promise<void> {
  await drive({
    connection,
    inFlight: IN_FLIGHT,
    next: () => (loop.isOver(performance.now()) ? undefined : next()),
    onAnswer: (_request, answer, ms) => {
      const nowMs = performance.now();
      tally.add(answer, nowMs - ms, loop.counts(nowMs) ? nowMs : undefined);
    },
    onNoAnswer: (_request, error) => tally.fail(error),
  });
}

/** Messages at even intervals, whatever becomes of those before. */
async function keepTime(
  connection: AcquirerConnection,
  next: () => Message,
  loop: OpenLoop,
  tally: Tally,
): Promise<void> {
  // Counted, not kept: the acquirer makes no garbage that would hold up its own messages.
  let underWay = 0;
  const ask = async (dueMs: number): Promise<void> => {
    underWay++;
    try {
      tally.add(await connection.ask(next()), dueMs, performance.now());
    } catch (error) {
      tally.fail(error);
    }
    underWay--;
  };
  await new Promise<void>((resolve) => {
    const ticks = setInterval(() => {
      const nowMs = performance.now();
      for (let dueMs = loop.take(nowMs); dueMs !== undefined; dueMs = loop.take(nowMs)) {
        void ask(dueMs);
      }
      if (!loop.isOver() || underWay > 0) return;
      clearInterval(ticks);
      resolve();
    }, TICK_MS);
  });
}

/** Counts the answers of one run, all of which must be approvals. */
class Tally {
  answers = 0;
  readonly #latencies = new Latencies();
  readonly #startMs: number;
  #countedMs = 0;
  #problem: string | undefined;

  constructor(startMs: number) {
    this.#startMs = startMs;
  }

  /** An answer that came when the time was over is not counted. */
  add({ fields }: Message, dueMs: number, countedMs: number | undefined): void {
    this.answers++;
    if (fields[39] !== APPROVED)
      this.#problem ??= `a purchase was answered with DE 39 = ${fields[39]}`;
    if (countedMs === undefined) return;
    this.#countedMs = countedMs;
    this.#latencies.add(countedMs - dueMs);
  }

  fail(error: unknown): void {
    this.#problem ??= error instanceof Error ? error.message : String(error);
  }

  result(seconds: number): Omit<AcquirerResult, "loadCpuUs"> {
    if (this.#problem !== undefined) throw new Error(this.#problem);
    const took = Math.max(seconds, (this.#countedMs - this.#startMs) / 1_000);
    const perSecond = this.#latencies.count / took;
    return { answers: this.answers, perSecond, ...this.#latencies.p50AndP99() };
  }
}
