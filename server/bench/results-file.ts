import { access, constants, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { paceOf, yardstickOf } from "./figure.ts";
import { OptionsError } from "./options.ts";
import { type Outcome, summarize } from "./outcome.ts";
import type { Report } from "./report.ts";

/** Said before minutes of measuring, not after. */
export async function ensureWritable(file: string): Promise<void> {
  await access(dirname(file), constants.W_OK).catch(() => {
    throw new OptionsError(`--json ${file}: its directory cannot be written.`);
  });
}

export async function writeResults(file: string, report: Report): Promise<void> {
  const { outcomes, options, ...about } = report;
  const { seconds, pairs, commitWaitMs } = options;
  const content = { ...about, seconds, pairs, commitWaitMs, figures: outcomes.map(describe) };
  await writeFile(file, `${JSON.stringify(content, null, 2)}\n`);
}

function describe(outcome: Outcome): object {
  const { figure, pairs, yardstickMissing } = outcome;
  const { name, title, unit, target } = figure;
  const summary = summarize(outcome);
  const yardstick = yardstickOf(figure);
  const pace = paceOf(figure);
  return {
    name,
    title,
    unit,
    target,
    ...(pace === undefined ? {} : { shareOfYardstick: pace.share }),
    ...summary,
    ...(yardstick === undefined
      ? {}
      : {
          yardstick: {
            name: yardstick.name,
            title: yardstick.title,
            unit: yardstick.unit,
            ...summary.yardstick,
          },
        }),
    ...(yardstickMissing === undefined ? {} : { yardstickMissing }),
    pairs,
  };
}
