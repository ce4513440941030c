import {
  type Details,
  detailTitles,
  type Named,
  paceOf,
  type Sample,
  yardstickOf,
} from "./figure.ts";
import { alignColumns, formatDetail, formatLimit, formatRatio, formatValue } from "./format.ts";
import { isBusy, type Machine } from "./machine.ts";
import type { Options } from "./options.ts";
import { type Outcome, type Summary, summarize } from "./outcome.ts";

export interface Report extends Machine {
  postgres?: string;
  pgbench?: string;
  options: Options;
  outcomes: readonly Outcome[];
}

const HEADINGS = ["figure", "measured", "ratio", "target", "aim", "", "held against"];
const NUMERIC = [1, 2, 3, 4];

export function printReport({ options, outcomes, ...about }: Report): string {
  const busy = `The machine was busy when this began (load average ${about.loadAverage}): measure again when it is idle.`;
  return [
    "",
    `${about.cpu}, ${about.cores} cores, Node.js ${about.node}, ${describePrograms(about)}`,
    describeDisk(about.syncUs, options.commitWaitMs),
    `medians of ${options.pairs}, samples of ${options.seconds} s; ratios are medians of the pairs' ratios`,
    ...(isBusy(about) ? [busy] : []),
    "",
    alignColumns([HEADINGS, ...outcomes.map(row)], NUMERIC),
    ...notes(outcomes),
    "",
    alignColumns([["", "samples", "details"], ...outcomes.flatMap(detailRows)]),
    "",
  ].join("\n");
}

function describeDisk(syncUs: number, commitWaitMs: number): string {
  const sync = `a sync of the disk takes ${(syncUs / 1_000).toFixed(2)} ms`;
  return commitWaitMs === 0 ? sync : `${sync}, and commits wait ${commitWaitMs} ms more`;
}

function describePrograms({ postgres, pgbench }: { postgres?: string; pgbench?: string }): string {
  const programs = [postgres === undefined ? undefined : `PostgreSQL ${postgres}`, pgbench];
  return programs.filter((program) => program !== undefined).join(", ") || "no database";
}

/** What must be said besides, each once. */
function notes(outcomes: readonly Outcome[]): string[] {
  const missing = outcomes.flatMap(({ yardstickMissing }) =>
    yardstickMissing === undefined ? [] : [`Without yardstick: ${yardstickMissing}.`],
  );
  const remarks = outcomes.flatMap(({ figure, pairs }) =>
    pairs
      .flatMap(({ sample: { violation, remark } }) => [violation, remark])
      .flatMap((said) => (said === undefined ? [] : [`${figure.name}: ${said}.`])),
  );
  const lines = [...new Set([...missing, ...remarks])];
  return lines.length === 0 ? [] : ["", ...lines];
}

function row(outcome: Outcome): string[] {
  const { figure } = outcome;
  const { yardstick, target, unit } = figure;
  const summary = summarize(outcome);
  const limit = (value: number): string =>
    yardstick === undefined ? formatLimit(value, unit) : `${value} ×`;
  return [
    figure.title,
    formatValue(summary.value, unit),
    summary.ratio === undefined ? "" : formatRatio(summary.ratio),
    `${target.bound === "at least" ? "≥" : "≤"} ${limit(target.value)}`,
    target.aim === undefined ? "" : limit(target.aim),
    verdict(summary),
    describeYardstick(outcome, summary),
  ];
}

function describeYardstick({ figure }: Outcome, { yardstick: held }: Summary): string {
  const yardstick = yardstickOf(figure);
  const pace = paceOf(figure);
  if (yardstick === undefined) return "";
  if (held === undefined) return `${yardstick.title}: not here`;
  const text = `${formatValue(held.value, yardstick.unit)} ${yardstick.title}`;
  return pace === undefined ? text : `at ${pace.share} × ${text}`;
}

function verdict({ value, isMet, isAimMet }: Summary): string {
  if (isMet === undefined) return Number.isNaN(value) ? "not measured" : "not compared";
  if (!isMet) return "MISSED";
  return isAimMet === true ? "ok, aim reached" : "ok";
}

function detailRows(outcome: Outcome): string[][] {
  const { figure, pairs } = outcome;
  const summary = summarize(outcome);
  const samples = pairs.map(({ sample }) => sample);
  const rows = [detailRow(figure, samples, summary.details)];
  const yardstick = yardstickOf(figure);
  if (yardstick === undefined || summary.yardstick === undefined) return rows;
  const held = pairs.flatMap(({ yardstick: sample }) => sample ?? []);
  const name = `  ${figure.yardstick === undefined ? "paced by" : "÷"} ${yardstick.name}`;
  return [...rows, detailRow({ ...yardstick, name }, held, summary.yardstick.details)];
}

function detailRow({ name, unit }: Named, samples: readonly Sample[], details: Details): string[] {
  const told = (Object.keys(detailTitles) as (keyof Details)[]).flatMap((detail) => {
    const value = details[detail];
    return value === undefined ? [] : [formatDetail(detail, value)];
  });
  return [name, samples.map(({ value }) => formatValue(value, unit)).join(" "), told.join(", ")];
}
