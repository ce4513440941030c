import type { Bench } from "./bench.ts";
import type { Figure, MeasuredFigure, Pair, Sample, Unit } from "./figure.ts";
import { formatValue } from "./format.ts";
import type { Outcome } from "./outcome.ts";
import { telling } from "./progress.ts";

/** Measures yardstick and figure in turn, so that whatever else the machine does meets both alike. */
export async function runFigures(
  bench: Bench,
  { figures, pairs }: { figures: readonly Figure[]; pairs: number },
): Promise<Outcome[]> {
  const measured = new Map<MeasuredFigure, Outcome>();
  const outcomes: Outcome[] = [];
  for (const figure of figures) {
    const source = "seenIn" in figure ? figure.seenIn : figure;
    const outcome = measured.get(source) ?? (await runFigure(bench, source, pairs));
    measured.set(source, outcome);
    outcomes.push("seenIn" in figure ? seeing(figure, outcome) : outcome);
  }
  return outcomes;
}

const seeing = (figure: Extract<Figure, { seenIn: object }>, outcome: Outcome): Outcome => ({
  ...outcome,
  figure,
  pairs: outcome.pairs.map((pair) => figure.read(pair)),
});

async function runFigure(bench: Bench, figure: MeasuredFigure, pairs: number): Promise<Outcome> {
  const wanted = figure.yardstick ?? figure.pace?.of;
  const yardstickMissing = await wanted?.missing?.(bench);
  const outcome: Outcome = {
    figure,
    pairs: [],
    ...(yardstickMissing === undefined ? {} : { yardstickMissing }),
  };
  const yardstick = yardstickMissing === undefined ? wanted : undefined;
  // Nobody knows how much load to put on it.
  if (figure.pace !== undefined && yardstick === undefined) return outcome;
  for (let n = 1; n <= pairs; n++) {
    const label = `${figure.name} ${n}/${pairs}`;
    const held =
      yardstick &&
      (await tell(`${label}, ${yardstick.title}`, yardstick.unit, () => yardstick.measure(bench)));
    const perSecond = (figure.pace?.share ?? 0) * (held?.value ?? 0);
    const sample = await tell(label, figure.unit, () => figure.measure(bench, perSecond));
    outcome.pairs.push(pairOf(sample, held));
  }
  return outcome;
}

const pairOf = (sample: Sample, yardstick: Sample | undefined): Pair =>
  yardstick === undefined ? { sample } : { sample, yardstick };

const tell = (label: string, unit: Unit, measure: () => Promise<Sample>): Promise<Sample> =>
  telling(label, measure, ({ value }) => formatValue(value, unit));
