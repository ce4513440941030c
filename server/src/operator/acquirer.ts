import { readFile } from "node:fs/promises";
import { AcquirerConnection, type AcquirerOptions } from "../network/acquirer/connection.ts";
import { type RunReport, runTraffic } from "../network/acquirer/run.ts";
import { readScript, runScript, ScriptError, type StepResult } from "../network/acquirer/script.ts";
import type { Tally } from "../network/acquirer/tally.ts";
import { type PresentedCard, Terminal } from "../network/acquirer/terminal.ts";
import { Traffic } from "../network/acquirer/traffic.ts";
import { readCards, sandboxCards } from "./acquirer-cards.ts";
import { type Command, CommandError, type Invocation, readArguments, withCore } from "./command.ts";
import { table } from "./table.ts";

const DEFAULT_SECONDS = 10;
const text = { type: "string" } as const;

export const acquirerCommand: Command = {
  name: "acquirer",
  parameters: "[--script FILE | --seconds N --rate R] [--port P] [--cards FILE]",
  summary: "Play the acquirer: send card network messages to the gateway and check the answers",
  run: async (invocation) => {
    const { values } = readArguments(invocation, [], {
      host: text,
      port: text,
      cards: text,
      currency: text,
      script: text,
      seconds: text,
      count: text,
      rate: text,
      "in-flight": text,
      acquirer: text,
      "tls-ca": text,
      "tls-cert": text,
      "tls-key": text,
    });
    const options = values as Options;
    const cards = await cardsFor(invocation, options);
    const terminal = new Terminal(acquirerOf(options));
    const connection = await open(invocation, options);
    try {
      await signOn(connection, terminal);
      return options.script === undefined
        ? await sendTraffic(invocation, options, connection, terminal, cards)
        : await sendScript(invocation, options.script, connection, terminal, cards);
    } finally {
      connection.cut();
    }
  },
};

type Options = Partial<
  Record<
    | "host"
    | "port"
    | "cards"
    | "currency"
    | "script"
    | "seconds"
    | "count"
    | "rate"
    | "in-flight"
    | "acquirer"
    | "tls-ca"
    | "tls-cert"
    | "tls-key",
    string
  >
>;

function acquirerOf({ acquirer }: Options): { acquirer?: string } {
  if (acquirer === undefined) return {};
  if (!/^\d{1,11}$/.test(acquirer)) throw new CommandError("--acquirer is 1 to 11 digits.");
  return { acquirer };
}

async function cardsFor(invocation: Invocation, options: Options): Promise<PresentedCard[]> {
  const { cards, currency = "USD" } = options;
  if (cards !== undefined) return readCards(cards, currency);
  if (invocation.config.isSandbox) return withCore(invocation, sandboxCards);
  throw new CommandError("Only a sandbox lends its cards: name a file of cards with --cards.");
}

async function open({ config }: Invocation, options: Options): Promise<AcquirerConnection> {
  const host = options.host ?? config.host;
  const port = wholeNumber(options, "port", config.networkPort, 65_535);
  const address = { host, port, tls: await tlsOf(options) };
  return AcquirerConnection.open(address).catch((error: unknown) => {
    const why = error instanceof Error ? error.message : String(error);
    throw new CommandError(`${host}:${port} cannot be reached (${why}): is the gateway running?`);
  });
}

async function tlsOf(options: Options): Promise<AcquirerOptions["tls"]> {
  const files = [options["tls-ca"], options["tls-cert"], options["tls-key"]];
  const given = files.filter((file) => file !== undefined);
  if (given.length === 0) return undefined;
  if (given.length < files.length) {
    throw new CommandError("--tls-ca, --tls-cert and --tls-key go together.");
  }
  const [ca = "", cert = "", key = ""] = await Promise.all(given.map(readText));
  return { ca, cert, key };
}

function readText(file: string): Promise<string> {
  return readFile(file, "utf8").catch(() => {
    throw new CommandError(`${file} cannot be read.`);
  });
}

function wholeNumber(
  options: Options,
  name: "port" | "seconds" | "count" | "rate" | "in-flight",
  fallback: number,
  most: number,
): number {
  const given = options[name];
  if (given === undefined) return fallback;
  const number = Number(given);
  if (!/^\d+$/.test(given) || number < 1 || number > most) {
    throw new CommandError(`--${name} is a whole number from 1 to ${most}.`);
  }
  return number;
}

async function signOn(connection: AcquirerConnection, terminal: Terminal): Promise<void> {
  const answer = await connection.ask(terminal.management("001")).catch(() => {
    throw new CommandError("The gateway closed the connection: is this address among its peers?");
  });
  if (answer.fields[39] !== "00") throw new CommandError("The gateway refused the sign-on.");
}

async function sendTraffic(
  { print }: Invocation,
  options: Options,
  connection: AcquirerConnection,
  terminal: Terminal,
  cards: PresentedCard[],
): Promise<number> {
  const count = wholeNumber(options, "count", 0, 100_000_000);
  const seconds = wholeNumber(options, "seconds", count === 0 ? DEFAULT_SECONDS : 0, 1_000_000);
  const rate = wholeNumber(options, "rate", 0, 1_000_000);
  print(line("second", "rate/s", "p50 ms", "p99 ms", "answers by DE 39"));
  let second = 0;
  const stop = new AbortController();
  // Whoever has seen enough wants the summary all the same. A second Ctrl-C ends it at once.
  process.once("SIGINT", () => stop.abort());
  const report = await runTraffic({
    connection,
    source: new Traffic({ terminal, cards }),
    inFlight: wholeNumber(options, "in-flight", 16, 4_096),
    ratePerS: rate === 0 ? undefined : rate,
    count: count === 0 ? undefined : count,
    forMs: seconds === 0 ? undefined : seconds * 1_000,
    stop: stop.signal,
    onSecond: (tally) => {
      second += 1;
      print(rowOf(String(second), tally, tally.count));
    },
  });
  print(summaryOf(report));
  return report.faults.size === 0 && report.unanswered === 0 && report.tally.count > 0 ? 0 : 1;
}

const line = (...[first, rate, p50, p99, rest]: [string, string, string, string, string]): string =>
  `${first.padStart(6)}  ${rate.padStart(8)}  ${p50.padStart(7)}  ${p99.padStart(7)}  ${rest}`;

function rowOf(first: string, tally: Tally, ratePerS: number): string {
  const [p50, p99] = [tally.percentileMs(0.5), tally.percentileMs(0.99)];
  return line(
    first,
    ratePerS.toFixed(0),
    p50.toFixed(1),
    p99.toFixed(1),
    tally.describeResponses(),
  );
}

function summaryOf({ tally, seconds, faults, unanswered }: RunReport): string {
  const lines = [
    "",
    rowOf("all", tally, tally.count / seconds),
    "",
    `${tally.count} answers in ${seconds.toFixed(1)} s; ${unanswered} messages were not answered.`,
    ...[...faults].map(([fault, times]) => `  ${times} times: ${fault}`),
  ];
  const isGood = faults.size === 0 && unanswered === 0;
  return [...lines, isGood ? "Every answer was as it must be." : "Something is wrong."].join("\n");
}

async function sendScript(
  { print }: Invocation,
  file: string,
  connection: AcquirerConnection,
  terminal: Terminal,
  cards: PresentedCard[],
): Promise<number> {
  try {
    const steps = readScript(await readText(file));
    const results = await runScript(connection, terminal, cards, steps);
    print(table(["step", "sent", "DE 39", "ms", "result"], results.map(rowOfStep)));
    const failed = results.filter(({ faults }) => faults.length > 0).length;
    print(`${results.length} steps, ${failed} failed.`);
    return failed === 0 ? 0 : 1;
  } catch (error) {
    if (error instanceof ScriptError) throw new CommandError(error.message);
    throw error;
  }
}

function rowOfStep({ step, response, faults, ms }: StepResult, index: number): string[] {
  const result = faults.length === 0 ? "ok" : faults.join("; ");
  return [step.name ?? String(index + 1), step.send, response, ms.toFixed(1), result];
}
