import { access } from "node:fs/promises";
import { decimalText } from "../foundation/money.ts";
import { csvLine } from "../http/csv.ts";
import { importFile, type LineReport } from "../network/clearing-file/import.ts";
import { findMissing, type MissingPayment } from "../network/clearing-file/store.ts";
import { type Command, CommandError, readArguments, withCore } from "./command.ts";
import { withDoor } from "./network-door.ts";
import { table } from "./table.ts";

const MAX_MISSING = 10_000;
const HEAD = ["line", "outcome", "kind", "card", "amount", "currency", "transaction", "note"];

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
    await access(file).catch(() => {
      throw new CommandError(`${file} cannot be read.`);
    });
    const until = readDay(values.until);
    const { config, print } = invocation;
    return withCore(invocation, (core) =>
      withDoor(core, config, async (door) => {
        const isCsv = values.csv === true;
        const rows: string[][] = [];
        const tell = (row: string[]): void => {
          if (isCsv) print(csvLine(row).trimEnd());
          else rows.push(row);
        };
        if (isCsv) print(csvLine(HEAD).trimEnd());
        const acquirers = new Set<string>();
        const counts = new Map<string, number>();
        const count = (outcome: string): void => {
          counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
        };
        await importFile({ ...core, ...door }, file, (report) => {
          if (report.line !== undefined) acquirers.add(report.line.acquirer);
          count(report.outcome);
          tell(rowOf(report));
        });
        const before = until ?? core.clock.now();
        const wanted = { acquirers: [...acquirers], until: before, limit: MAX_MISSING };
        for (const missing of await findMissing(core.pool, wanted)) {
          count("Missing");
          tell(rowOfMissing(missing));
        }
        if (!isCsv) print(`${table(HEAD, rows)}\n\n${summaryOf(counts)}`);
        return counts.has("Refused") ? 1 : 0;
      }),
    );
  },
};

/** The moment at which a day is over. */
function readDay(text: string | boolean | undefined): Date | undefined {
  if (typeof text !== "string") return undefined;
  const start = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  if (Number.isNaN(start)) throw new CommandError("--until is a day, such as 2026-01-31.");
  return new Date(start + 86_400_000);
}

function rowOf(report: LineReport): string[] {
  const { number, outcome, line, maskedPan = "", transactionId = "" } = report;
  const amount = line === undefined ? "" : decimalText(line.amountMinor, line.currency);
  return [
    String(number),
    outcome,
    line?.kind ?? "",
    maskedPan,
    amount,
    line?.currency ?? "",
    transactionId,
    noteOf(report),
  ];
}

function noteOf({ reason, isPosted, isAgain }: LineReport): string {
  if (reason !== undefined) return reason;
  const what = isPosted === true ? "posted" : "confirmed";
  return isAgain === true ? `${what} by an earlier import` : what;
}

function rowOfMissing(missing: MissingPayment): string[] {
  const { kind, maskedPan, amountMinor, currency, transactionId, retrieval } = missing;
  const amount = decimalText(amountMinor, currency);
  const note = `in no file yet, DE 37 ${retrieval}`;
  return ["", "Missing", kind, maskedPan, amount, currency, transactionId, note];
}

function summaryOf(counts: ReadonlyMap<string, number>): string {
  const outcomes = ["Matched", "ForcePosted", "AmountDiffers", "Missing", "Refused"];
  return outcomes.map((outcome) => `${outcome}: ${counts.get(outcome) ?? 0}`).join("  ");
}
