import type { Details, Figure, Pair, Sample, Target } from "./figure.ts";
import { median } from "./statistics.ts";

/** All that was measured for a figure. */
export interface Outcome {
  figure: Figure;
  pairs: Pair[];
  yardstickMissing?: string;
}

export interface Summary {
  value: number;
  details: Details;
  yardstick?: { value: number; details: Details };
  /** The median of the pairs' ratios: a slow moment hurts both sides of its pair, and no other. */
  ratio?: number;
  /** Undefined when there is nothing to compare with. */
  isMet?: boolean;
  isAimMet?: boolean;
}

export function summarize({ figure, pairs }: Outcome): Summary {
  const samples = pairs.map(({ sample }) => sample);
  const held = pairs.flatMap(({ yardstick }) => yardstick ?? []);
  const summary: Summary = { value: middleValue(samples), details: middleDetails(samples) };
  if (held.length > 0) {
    summary.yardstick = { value: middleValue(held), details: middleDetails(held) };
    if (figure.yardstick !== undefined) summary.ratio = median(pairs.flatMap(ratioOf));
  }
  const judged = figure.yardstick === undefined ? summary.value : summary.ratio;
  if (judged === undefined || Number.isNaN(judged)) return summary;
  const { value, aim } = figure.target;
  const isSound = samples.every(({ violation }) => violation === undefined);
  summary.isMet = isSound && satisfies(judged, figure.target, value);
  if (aim !== undefined) summary.isAimMet = isSound && satisfies(judged, figure.target, aim);
  return summary;
}

function ratioOf({ sample, yardstick }: Pair): number[] {
  return yardstick === undefined ? [] : [sample.value / yardstick.value];
}

function satisfies(judged: number, { bound }: Target, limit: number): boolean {
  return bound === "at least" ? judged >= limit : judged <= limit;
}

const middleValue = (samples: readonly Sample[]): number =>
  median(samples.map(({ value }) => value));

function middleDetails(samples: readonly Sample[]): Details {
  const names = Object.keys(samples[0]?.details ?? {}) as (keyof Details)[];
  const middle = (name: keyof Details): number =>
    median(samples.flatMap(({ details }) => details?.[name] ?? []));
  return Object.fromEntries(names.map((name) => [name, middle(name)]));
}
