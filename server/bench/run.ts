import type { Bench } from "./bench.ts";
import type { Figure, Measurement, Sample, Yardstick } from "./figure.ts";
import { formatValue } from "./format.ts";
import type { Outcome } from "./outcome.ts";
import { telling } from "./progress.ts";

/** Measures yardstick and figure in turn, so that whatever else the machine does meets both alike. */
export async function runFigures(
  bench: Bench,
  { figures, pairs }: { figures: readonly Figure[]; pairs: number },
): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const figure of figures) outcomes.push(await runFigure(bench, figure, pairs));
  return outcomes;
}

async function runFigure(bench: Bench, figure: Figure, pairs: number): Promise<Outcome> {
  const yardstickMissing = await figure.yardstick?.missing?.(bench);
  const yardstick = yardstickMissing === undefined ? figure.yardstick : undefined;
  const outcome: Outcome = {
    figure,
    pairs: [],
    ...(yardstickMissing === undefined ? {} : { yardstickMissing }),
  };
  for (let n = 1; n <= pairs; n++) {
    const turn = `${n}/${pairs}`;
    const held = yardstick && (await measureYardstick(bench, yardstick, figure, turn));
    const sample = await measureOne(bench, figure, `${figure.name} ${turn}`);
    outcome.pairs.push({ sample, ...(held === undefined ? {} : { yardstick: held }) });
  }
  return outcome;
}

function measureYardstick(
  bench: Bench,
  yardstick: Yardstick,
  figure: Figure,
  turn: string,
): Promise<Sample> {
  return measureOne(bench, yardstick, `${figure.name} ${turn}, ${yardstick.title}`);
}

function measureOne(bench: Bench, measurement: Measurement, label: string): Promise<Sample> {
  return telling(
    label,
    () => measurement.measure(bench),
    ({ value }) => formatValue(value, measurement.unit),
  );
}
