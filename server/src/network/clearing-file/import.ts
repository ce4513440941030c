import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";
import { maskPan } from "../../cards/pan.ts";
import { lineReferenceOf } from "../../clearing/line-reference.ts";
import { holdingLock } from "../../db/advisory-lock.ts";
import type { Clock } from "../../foundation/clock.ts";
import { Failure } from "../../foundation/failure.ts";
import { groupBy } from "../../foundation/group-by.ts";
import { newId } from "../../foundation/ids.ts";
import { writeAudit } from "../../identity/store.ts";
import type { CardNumbers } from "../card-numbers.ts";
import { type ApplyDeps, type ApplyOptions, applyLine } from "./apply-line.ts";
import { type ClearingLine, lineReader, type ReadLine } from "./line.ts";
import type { Outcome } from "./reconcile.ts";
import { findImported, noteImported } from "./store.ts";

/**
 * One import at a time: whether a line confirms a message or is a second presentment depends on what the
 * lines before it have done, those of other files included.
 */
const IMPORT_LOCK = 4_000_000_012;

export interface ImportDeps extends ApplyDeps {
  databaseUrl: string;
  clock: Clock;
  cardNumbers: CardNumbers;
}

/** What came of a line. */
export interface LineReport {
  number: number;
  outcome: Outcome | "Refused";
  line?: ClearingLine;
  maskedPan?: string;
  transactionId?: string;
  /** Whether it moved money, now or in an earlier import. */
  isPosted?: boolean;
  /** Whether the file was imported before. */
  isAgain?: boolean;
  /** Why it was refused. */
  reason?: string;
}

/** Lines that are worked on together; those of one card one after another. */
const LINES_AT_ONCE = 256;
const DIGEST_DIGITS = 32;
const MAX_LINE_LENGTH = 10_000;

export interface ImportProgress {
  onLine(report: LineReport): void;
  /** Another import is under way. */
  onWait(): void;
}

/** Imports a file, line by line, each of them once, and tells what came of each. */
export async function importFile(
  deps: ImportDeps,
  path: string,
  { onLine, onWait }: ImportProgress,
): Promise<void> {
  await holdingLock(deps.databaseUrl, IMPORT_LOCK, () => importLines(deps, path, onLine), onWait);
}

async function importLines(
  deps: ImportDeps,
  path: string,
  onLine: ImportProgress["onLine"],
): Promise<void> {
  const digest = await digestOf(path);
  await noteImport(deps, digest);
  for await (const lines of groupsOf(path)) {
    const cards = groupBy(lines, (line) => ("pan" in line ? line.pan : ""));
    const reports = await Promise.all(
      [...cards.values()].map((ofCard) => importOfCard(deps, digest, ofCard)),
    );
    for (const report of reports.flat().sort((a, b) => a.number - b.number)) onLine(report);
  }
}

async function noteImport({ pool, clock }: ImportDeps, digest: string): Promise<void> {
  const at = clock.now();
  await writeAudit(pool, {
    auditId: newId("aud", at.getTime()),
    organizationId: null,
    actor: "operator",
    action: "clearing.imported",
    detail: { digest },
    at,
  });
}

async function digestOf(path: string): Promise<string> {
  const hash = createHash("sha256");
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
  return hash.digest("hex").slice(0, DIGEST_DIGITS);
}

async function* groupsOf(path: string): AsyncGenerator<ReadLine[]> {
  const read = lineReader();
  let group: ReadLine[] = [];
  let number = 0;
  const input = createReadStream(path, "utf8");
  for await (const text of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
    number += 1;
    const line =
      text.length > MAX_LINE_LENGTH ? { number, problem: "is too long" } : read(text, number);
    if (line !== undefined) group.push(line);
    if (group.length < LINES_AT_ONCE) continue;
    yield group;
    group = [];
  }
  if (group.length > 0) yield group;
}

/**
 * Lines of one card. Those that tell just what a message has done come first: another before them would be taken for
 * that message's, and they for a second presentment.
 */
async function importOfCard(
  deps: ImportDeps,
  digest: string,
  lines: ReadLine[],
): Promise<LineReport[]> {
  const reports: LineReport[] = [];
  const left: ReadLine[] = [];
  for (const line of lines) {
    const report = await importLine(deps, digest, line, { onlyConfirm: lines.length > 1 });
    if (report === undefined) left.push(line);
    else reports.push(report);
  }
  for (const line of left) {
    const report = await importLine(deps, digest, line, { onlyConfirm: false });
    if (report !== undefined) reports.push(report);
  }
  return reports;
}

/** Nothing where a line is only to confirm, and no message has done just what it tells. */
async function importLine(
  deps: ImportDeps,
  digest: string,
  line: ReadLine,
  options: ApplyOptions,
): Promise<LineReport | undefined> {
  const { number } = line;
  if ("problem" in line) return { number, outcome: "Refused", reason: line.problem };
  const lineReference = lineReferenceOf(digest, number);
  const shown = { number, line, maskedPan: maskPan(line.pan) };
  try {
    const found = await deps.cardNumbers.find(line.pan);
    const { organizationId } = found;
    const before = await findImported(deps.pool, organizationId, lineReference);
    if (before !== undefined) return { ...shown, ...before, isAgain: true };
    const done = await applyLine(deps, found, lineReference, line, options);
    if (done === undefined) return undefined;
    const { kind, amountMinor } = line;
    const imported = { organizationId, lineReference, kind, amountMinor, ...done };
    await noteImported(deps.pool, imported, deps.clock.now());
    return { ...shown, ...done };
  } catch (error) {
    if (!(error instanceof Failure) || error.response.finality !== "TerminalFailure") throw error;
    const { code, message } = error.response;
    return { ...shown, outcome: "Refused", reason: `${code} ${message}` };
  }
}
