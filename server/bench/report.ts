import { type Details, detailTitles, type Measurement, type Sample } from "./figure.ts";
import { alignColumns, formatRatio, formatValue } from "./format.ts";
import { isBusy, type Machine } from "./machine.ts";
import type { Options } from "./options.ts";
import { type Outcome, type Summary, summarize } from "./outcome.ts";

export interface Report extends Machine {
  postgres?: string;
  pgbench?: string;
  options: Options;
  outcomes: readonly Outcome[];
}

const HEADINGS = ["figure", "measured", "yardstick", "ratio", "target", "aim", ""];
const DETAIL_HEADINGS = ["", "samples", ...Object.values(detailTitles)];

export function printReport({ options, outcomes, ...about }: Report): string {
  const busy = `The machine was busy when this began (load average ${about.loadAverage}): measure again when it is idle.`;
  const missing = outcomes.flatMap(({ yardstickMissing }) => yardstickMissing ?? []);
  return [
    "",
    `${about.cpu}, ${about.cores} cores, Node.js ${about.node}, ${describePrograms(about)}`,
    `medians of ${options.pairs}, samples of ${options.seconds} s; ratios are medians of the pairs' ratios`,
    ...(isBusy(about) ? [busy] : []),
    "",
    alignColumns([HEADINGS, ...outcomes.map(row)]),
    ...[...new Set(missing)].map((reason) => `\nWithout yardstick: ${reason}.`),
    "",
    alignColumns([DETAIL_HEADINGS, ...outcomes.flatMap(detailRows)]),
    "",
  ].join("\n");
}

function describePrograms({ postgres, pgbench }: { postgres?: string; pgbench?: string }): string {
  const programs = [postgres === undefined ? undefined : `PostgreSQL ${postgres}`, pgbench];
  return programs.filter((program) => program !== undefined).join(", ") || "no database";
}

function row(outcome: Outcome): string[] {
  const { figure } = outcome;
  const { yardstick, target, unit } = figure;
  const summary = summarize(outcome);
  const limit = (value: number): string =>
    yardstick === undefined ? formatValue(value, unit) : `${value} ×`;
  return [
    figure.title,
    formatValue(summary.value, unit),
    yardstick === undefined ? "" : describeYardstick(yardstick, summary),
    summary.ratio === undefined ? "" : formatRatio(summary.ratio),
    `${target.bound === "at least" ? "≥" : "≤"} ${limit(target.value)}`,
    target.aim === undefined ? "" : limit(target.aim),
    verdict(summary),
  ];
}

function describeYardstick({ title, unit }: Measurement, { yardstick }: Summary): string {
  return yardstick === undefined
    ? `${title}: not here`
    : `${formatValue(yardstick.value, unit)} ${title}`;
}

function verdict({ isMet, isAimMet }: Summary): string {
  if (isMet === undefined) return "not compared";
  if (!isMet) return "MISSED";
  return isAimMet === true ? "ok, aim reached" : "ok";
}

function detailRows(outcome: Outcome): string[][] {
  const { figure, pairs } = outcome;
  const summary = summarize(outcome);
  const rows = [
    detailRow(
      figure,
      pairs.map(({ sample }) => sample),
      summary.details,
    ),
  ];
  if (figure.yardstick !== undefined && summary.yardstick !== undefined) {
    const held = pairs.flatMap(({ yardstick }) => yardstick ?? []);
    rows.unshift(detailRow(figure.yardstick, held, summary.yardstick.details));
  }
  return rows;
}

function detailRow(
  { name, unit }: Measurement,
  samples: readonly Sample[],
  details: Details,
): string[] {
  const cells = (Object.keys(detailTitles) as (keyof Details)[]).map((detail) => {
    const value = details[detail];
    return value === undefined ? "" : value.toFixed(detail.endsWith("Us") ? 0 : 1);
  });
  return [name, samples.map(({ value }) => formatValue(value, unit)).join(" "), ...cells];
}
