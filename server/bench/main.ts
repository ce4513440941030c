import { authorizer } from "./authorizer.ts";
import { bareRoute } from "./bare-route.ts";
import { Bench } from "./bench.ts";
import { Cleanup, Interrupted, interruption } from "./cleanup.ts";
import { decider } from "./decider.ts";
import { figures } from "./figures.ts";
import { acquirer } from "./load/acquirer.ts";
import { loadGenerator } from "./load/generator.ts";
import { machine } from "./machine.ts";
import { type Options, OptionsError, readOptions, usage } from "./options.ts";
import { receiver } from "./receiver.ts";
import { printReport } from "./report.ts";
import { ensureWritable, writeResults } from "./results-file.ts";
import { playRole, roleOf } from "./roles.ts";
import { runFigures } from "./run.ts";

/** Measures Florin beside its yardsticks. A missed target is a finding, not a failure. */
async function main(args: string[]): Promise<number> {
  const options = readOptions(args, figures);
  if (options.help) {
    console.log(usage(figures));
    return 0;
  }
  const cleanup = new Cleanup();
  const stopped = interruption();
  try {
    await Promise.race([measure(options, cleanup), stopped]);
    return 0;
  } finally {
    await cleanup.run();
  }
}

async function measure(options: Options, cleanup: Cleanup): Promise<void> {
  if (options.jsonFile !== undefined) await ensureWritable(options.jsonFile);
  const here = await machine();
  const bench = new Bench(options, cleanup);
  const outcomes = await runFigures(bench, options);
  const report = { ...here, ...bench.versions(), options, outcomes };
  console.log(printReport(report));
  if (options.jsonFile !== undefined) await writeResults(options.jsonFile, report);
}

function explain(error: unknown): number {
  if (error instanceof OptionsError) {
    console.error(`bench: ${error.message}\n\n${usage(figures)}`);
    return 2;
  }
  if (error instanceof Interrupted) {
    console.error("\nbench: stopped.");
    return error.exitCode;
  }
  console.error(
    `\nbench: it could not be measured. ${error instanceof Error ? error.message : String(error)}`,
  );
  return 1;
}

const roles = {
  "load-generator": loadGenerator,
  "bare-route": bareRoute,
  authorizer,
  acquirer,
  receiver,
  decider,
};
const role = roleOf(process.argv);
if (role !== undefined) playRole(role, roles);
else process.exit(await main(process.argv.slice(2)).catch(explain));
