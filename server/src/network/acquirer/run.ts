import type { Message } from "../iso8583/fields.ts";
import { faultsOf } from "./check.ts";
import type { AcquirerConnection } from "./connection.ts";
import { drive } from "./driver.ts";
import { Tally } from "./tally.ts";

/** What sends messages and takes note of their answers. */
export interface Source {
  next(): Message;
  /** What is wrong with an answer, given earlier ones. */
  note(request: Message, answer: Message): string[];
}

export interface RunOptions {
  connection: AcquirerConnection;
  source: Source;
  inFlight: number;
  ratePerS?: number | undefined;
  /** How many messages at most. */
  count?: number | undefined;
  /** For how long new ones are sent. */
  forMs?: number | undefined;
  stop?: AbortSignal | undefined;
  /** Told every second what was answered in it. */
  onSecond?: ((second: Tally) => void) | undefined;
}

export interface RunReport {
  tally: Tally;
  seconds: number;
  /** How often each fault was found. */
  faults: Map<string, number>;
  unanswered: number;
}

/** Answers that say that the other side could not do its work. */
const BROKEN: ReadonlySet<string> = new Set(["30", "91", "96"]);

/** Sends what a source makes up, checks every answer and counts them. */
export async function runTraffic(options: RunOptions): Promise<RunReport> {
  const { connection, source, inFlight, ratePerS, stop, onSecond } = options;
  const startedMs = performance.now();
  const report: RunReport = { tally: new Tally(), seconds: 0, faults: new Map(), unanswered: 0 };
  let second = new Tally();
  const ticks = setInterval(() => {
    onSecond?.(second);
    second = new Tally();
  }, 1_000);
  const isOver = limitOf(options, startedMs);
  await drive({
    connection,
    inFlight,
    ratePerS,
    stop,
    next: () => (isOver() ? undefined : source.next()),
    onAnswer: (request, answer, ms) => {
      const response = answer.fields[39] ?? "";
      report.tally.add(response, ms);
      second.add(response, ms);
      const broken = BROKEN.has(response) ? [`${request.mti} was answered ${response}`] : [];
      for (const fault of [
        ...faultsOf(request, answer),
        ...source.note(request, answer),
        ...broken,
      ]) {
        report.faults.set(fault, (report.faults.get(fault) ?? 0) + 1);
      }
    },
    onNoAnswer: () => {
      report.unanswered += 1;
    },
  });
  clearInterval(ticks);
  if (!connection.isOpen) report.faults.set("the connection was lost", 1);
  report.seconds = (performance.now() - startedMs) / 1_000;
  return report;
}

function limitOf(
  { count = Number.POSITIVE_INFINITY, forMs = Number.POSITIVE_INFINITY }: RunOptions,
  startedMs: number,
): () => boolean {
  let sent = 0;
  return () => {
    sent += 1;
    return sent > count || performance.now() - startedMs >= forMs;
  };
}
