import { Interrupted, interruption } from "../bench/cleanup.ts";
import { cleanUp } from "../test/harness/process.ts";
import { OptionsError, readOptions, USAGE } from "./options.ts";
import { Torture } from "./torture.ts";

const say = (line: string): void => console.log(`torture: ${line}`);

async function main(args: readonly string[]): Promise<number> {
  const options = readOptions(args, () => Date.now());
  if (options.help) {
    console.log(USAGE);
    return 0;
  }
  const { kills, seed, senders } = options;
  say(`seed ${seed}, ${kills} kills, ${senders} requests in flight`);
  try {
    const torture = new Torture(options, say);
    const { answered, unanswered, hadHappened } = await Promise.race([
      torture.run(kills),
      interruption(),
    ]);
    say(
      `survived ${kills} kills: ${answered} answered, ${unanswered} not answered, of which ${hadHappened} ` +
        "had happened; each once.",
    );
    return 0;
  } catch (error) {
    if (error instanceof Interrupted) return error.exitCode;
    say(`FAILED with seed ${seed}: ${error instanceof Error ? error.message : String(error)}`);
    return 1;
  } finally {
    await cleanUp();
  }
}

function explain(error: unknown): number {
  if (!(error instanceof OptionsError)) throw error;
  console.error(`torture: ${error.message}\n\n${USAGE}`);
  return 2;
}

process.exit(await main(process.argv.slice(2)).catch(explain));
