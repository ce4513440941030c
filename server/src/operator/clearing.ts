import { constants } from "node:fs";
import { access, stat } from "node:fs/promises";
import type { Core } from "../core.ts";
import { DAY_MS, parseDate } from "../foundation/dates.ts";
import { decimalText } from "../foundation/money.ts";
import { csvLine } from "../http/csv.ts";
import { importFile, type LineReport } from "../network/clearing-file/import.ts";
import { findMissing, type MissingPayment } from "../network/clearing-file/store.ts";
import { type Command, CommandError, readArguments, withCore } from "./command.ts";
import { type OperatorDoor, withDoor } from "./network-door.ts";
import { table } from "./table.ts";

const MAX_MISSING = 10_000;
const HEAD = ["line", "outcome", "kind", "card", "amount", "currency", "transaction", "note"];
const OUTCOMES = ["Matched", "ForcePosted", "AmountDiffers", "Missing", "Refused"] as const;

export const importClearingCommand: Command = {
  name: "clearing import",
  parameters: "<FILE> [--csv] [--until YYYY-MM-DD]",
  summary: "Post a clearing file, each line once, and reconcile it with what messages have done",
  run: async (invocation) => {
    const { positionals, values } = readArguments(invocation, ["FILE"], {
      csv: { type: "boolean" },
      until: { type: "string" },
    });
    const [file] = positionals;
    await expectFile(file);
    const until = readDay(values.until);
    const report = new Report(values.csv === true, invocation.print);
    await withCore(invocation, (core) =>
      withDoor(core, invocation.config, (door) => reconcile(core, door, { file, until }, report)),
    );
    report.close();
    return report.hasRefused ? 1 : 0;
  },
};

async function expectFile(path: string): Promise<void> {
  await access(path, constants.R_OK).catch(() => {
    throw new CommandError(`${path} cannot be read.`);
  });
  const found = await stat(path);
  if (found.isDirectory()) throw new CommandError(`${path} is a folder: name a clearing file.`);
  // A file is known by its content, so it is read twice, which a pipe cannot be.
  if (!found.isFile()) throw new CommandError(`${path} is not a file: save what it gives to one.`);
}

/** The moment at which a day is over. */
function readDay(text: string | boolean | undefined): Date | undefined {
  if (typeof text !== "string") return undefined;
  const day = parseDate(text);
  if (day === undefined) throw new CommandError("--until is a day, such as 2026-01-31.");
  return new Date(day.getTime() + DAY_MS);
}

async function reconcile(
  core: Core,
  door: OperatorDoor,
  { file, until = core.clock.now() }: { file: string; until: Date | undefined },
  report: Report,
): Promise<void> {
  const acquirers = new Set<string>();
  await importFile({ ...core, ...door }, file, {
    onLine: (line) => {
      if (line.line !== undefined) acquirers.add(line.line.acquirer);
      report.add(line.outcome, rowOf(line));
    },
    onWait: () => process.stderr.write("Another import is under way: this one waits for it.\n"),
  });
  const wanted = { acquirers: [...acquirers], until, limit: MAX_MISSING };
  const { missing, hasMore } = await findMissing(core.pool, wanted);
  for (const payment of missing) report.add("Missing", rowOfMissing(payment));
  if (hasMore) process.stderr.write(`Only the oldest ${MAX_MISSING} missing are listed.\n`);
}

/** Lines of CSV as they come, or a table and a summary at the end. */
class Report {
  readonly #isCsv: boolean;
  readonly #print: (line: string) => void;
  readonly #rows: string[][] = [];
  readonly #counts = new Map<string, number>();

  constructor(isCsv: boolean, print: (line: string) => void) {
    this.#isCsv = isCsv;
    this.#print = print;
    if (isCsv) print(csvLine(HEAD).trimEnd());
  }

  get hasRefused(): boolean {
    return this.#counts.has("Refused");
  }

  add(outcome: (typeof OUTCOMES)[number], cells: string[]): void {
    this.#counts.set(outcome, (this.#counts.get(outcome) ?? 0) + 1);
    const [number = "", ...others] = cells;
    const row = [number, outcome, ...others];
    if (this.#isCsv) this.#print(csvLine(row).trimEnd());
    else this.#rows.push(row);
  }

  close(): void {
    if (this.#isCsv) return;
    if (this.#rows.length > 0) this.#print(`${table(HEAD, this.#rows)}\n`);
    const counts = OUTCOMES.map((outcome) => `${outcome}: ${this.#counts.get(outcome) ?? 0}`);
    this.#print(counts.join("  "));
  }
}

function rowOf(report: LineReport): string[] {
  const { number, line, maskedPan = "", transactionId = "" } = report;
  const amount = line === undefined ? "" : decimalText(line.amountMinor, line.currency);
  const what = [line?.kind ?? "", maskedPan, amount, line?.currency ?? ""];
  return [String(number), ...what, transactionId, noteOf(report)];
}

function noteOf({ reason, isPosted, isAgain }: LineReport): string {
  if (reason !== undefined) return reason;
  const what = isPosted === true ? "posted" : "confirmed";
  return isAgain === true ? `${what} by an earlier import` : what;
}

function rowOfMissing(missing: MissingPayment): string[] {
  const { kind, maskedPan, amountMinor, currency, transactionId, retrieval } = missing;
  const what = [kind, maskedPan, decimalText(amountMinor, currency), currency];
  return ["", ...what, transactionId, `DE 37 ${retrieval} is in no file yet`];
}
