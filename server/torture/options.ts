import { parseArgs } from "node:util";

export interface Options {
  kills: number;
  seed: number;
  senders: number;
  help: boolean;
}

/** A command line that cannot be followed, in one line for people. */
export class OptionsError extends Error {
  override readonly name = "OptionsError";
}

const DEFAULT_KILLS = 10;
const DEFAULT_SENDERS = 30;
const MAX_SEED = 2 ** 31 - 1;

export const USAGE = [
  "npm run torture -- [--kills N] [--seed S] [--senders N]",
  "",
  `  --kills N    how often the service is killed (${DEFAULT_KILLS})`,
  "  --seed S     makes the same choices again; told at the start",
  `  --senders N  requests in flight (${DEFAULT_SENDERS})`,
].join("\n");

export function readOptions(args: readonly string[], newSeed: () => number): Options {
  const { kills, seed, senders, help = false } = parse(args);
  return {
    kills: count("--kills", kills, DEFAULT_KILLS, 100_000),
    seed: count("--seed", seed, newSeed() % MAX_SEED, MAX_SEED),
    senders: count("--senders", senders, DEFAULT_SENDERS, 1_000),
    help,
  };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        kills: { type: "string" },
        seed: { type: "string" },
        senders: { type: "string" },
        help: { type: "boolean", short: "h" },
      },
    }).values;
  } catch (error) {
    // Node adds advice about positional arguments, of which there are none here.
    const [sentence] = String(error instanceof Error ? error.message : error).split(/[.\n]/);
    throw new OptionsError(sentence ?? "");
  }
}

function count(name: string, text: string | undefined, otherwise: number, max: number): number {
  if (text === undefined) return otherwise;
  const value = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= 0 && value <= max) return value;
  throw new OptionsError(`${name} must be a whole number up to ${max}`);
}
