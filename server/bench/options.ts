import { parseArgs } from "node:util";
import type { Figure } from "./figure.ts";

export interface Options {
  figures: readonly Figure[];
  jsonFile: string | undefined;
  seconds: number;
  pairs: number;
  /** Longer than the disk takes, as on a slower one; see JoinedDatabase. */
  commitWaitMs: number;
  help: boolean;
}

/** A command line that cannot be followed, in one line for people. */
export class OptionsError extends Error {
  override readonly name = "OptionsError";
}

const DEFAULT_SECONDS = 5;
const DEFAULT_PAIRS = 3;
/** The most that PostgreSQL's commit_delay can be. */
const MAX_COMMIT_WAIT_MS = 100;

export function usage(figures: readonly Figure[]): string {
  const width = Math.max(...figures.map(({ name }) => name.length));
  return [
    "npm run bench -- [--only NAME]... [--json FILE] [--seconds N] [--pairs N] [--commit-wait-ms N]",
    "",
    "  --only NAME         measure this figure; may be repeated",
    "  --json FILE         write the results there as JSON",
    `  --seconds N         length of a sample (${DEFAULT_SECONDS})`,
    `  --pairs N           samples of each figure and its yardstick (${DEFAULT_PAIRS})`,
    "  --commit-wait-ms N  let commits wait for the disk so much longer, service's and yardstick's",
    "",
    "Figures:",
    ...figures.map(({ name, title }) => `  ${name.padEnd(width)}  ${title}`),
  ].join("\n");
}

export function readOptions(args: readonly string[], figures: readonly Figure[]): Options {
  const given = parse(args);
  return {
    figures: choose(figures, given.only ?? []),
    jsonFile: given.json,
    seconds: count("--seconds", given.seconds, DEFAULT_SECONDS),
    pairs: count("--pairs", given.pairs, DEFAULT_PAIRS),
    commitWaitMs: count("--commit-wait-ms", given["commit-wait-ms"], 0, MAX_COMMIT_WAIT_MS),
    help: given.help ?? false,
  };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        only: { type: "string", multiple: true },
        json: { type: "string" },
        seconds: { type: "string" },
        pairs: { type: "string" },
        "commit-wait-ms": { type: "string" },
        help: { type: "boolean", short: "h" },
      },
    }).values;
  } catch (error) {
    // Node adds advice about positional arguments, of which there are none here.
    const [sentence] = String(error instanceof Error ? error.message : error).split(/[.\n]/);
    throw new OptionsError(`${sentence}.`);
  }
}

function choose(figures: readonly Figure[], names: readonly string[]): readonly Figure[] {
  const known = figures.map(({ name }) => name);
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined) {
    throw new OptionsError(`There is no figure '${unknown}'; there are ${known.join(", ")}.`);
  }
  return names.length === 0 ? figures : figures.filter(({ name }) => names.includes(name));
}

function count(option: string, given: string | undefined, fallback: number, most = 9_999): number {
  if (given === undefined) return fallback;
  if (!/^[1-9]\d{0,3}$/.test(given) || Number(given) > most) {
    throw new OptionsError(`${option} must be a whole number from 1 to ${most}, not '${given}'.`);
  }
  return Number(given);
}
