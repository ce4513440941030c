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
  const startedAt = deps.clock.now();
  await noteImport(deps, digest, startedAt);
  // The lines that tell just what a message has done come first, wherever in the file they are: another before them
  // would be taken for that message's, and they for a second presentment.
  await importGroups(deps, path, { digest, startedAt, onlyConfirm: true }, () => undefined);
  await importGroups(deps, path, { digest, startedAt, onlyConfirm: false }, onLine);
}

/** One of the two ways through the file. */
interface Pass extends ApplyOptions {
  digest: string;
  /** When the import began: what was noted before is another's. */
  startedAt: Date;
}

async function importGroups(
  deps: ImportDeps,
  path: string,
  pass: Pass,
  onLine: ImportProgress["onLine"],
): Promise<void> {
  for await (const lines of groupsOf(path)) {
    const cards = groupBy(lines, (line) => ("pan" in line ? line.pan : ""));
    const reports = await Promise.all(
      [...cards.values()].map((ofCard) => importOfCard(deps, ofCard, pass)),
    );
    for (const report of reports.flat().sort((a, b) => a.number - b.number)) onLine(report);
  }
}

async function noteImport({ pool }: ImportDeps, digest: string, at: Date): Promise<void> {
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

async function importOfCard(
  deps: ImportDeps,
  lines: ReadLine[],
  pass: Pass,
): Promise<LineReport[]> {
  const reports: LineReport[] = [];
  for (const line of lines) {
    const report = await importLine(deps, line, pass);
    if (report !== undefined) reports.push(report);
  }
  return reports;
}

/** Nothing where a line is only to confirm, and no message has done just what it tells. */
async function importLine(
  deps: ImportDeps,
  line: ReadLine,
  { digest, startedAt, onlyConfirm }: Pass,
): Promise<LineReport | undefined> {
  const { number } = line;
  if ("problem" in line) return { number, outcome: "Refused", reason: line.problem };
  const lineReference = lineReferenceOf(digest, number);
  const shown = { number, line, maskedPan: maskPan(line.pan) };
  try {
    const found = await deps.cardNumbers.find(line.pan);
    const { organizationId } = found;
    const before = await findImported(deps.pool, organizationId, lineReference);
    if (before !== undefined) {
      const { notedAt, ...done } = before;
      return { ...shown, ...done, isAgain: notedAt < startedAt };
    }
    const done = await applyLine(deps, found, lineReference, line, { onlyConfirm });
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
