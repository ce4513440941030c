import { parseArgs } from "node:util";
import { type Core, openCore } from "../core.ts";
import { expectDatabase } from "../db/database.ts";
import { expectMigrated, migrateIfEmpty } from "../db/migrate.ts";
import type { Config } from "../foundation/config/table.ts";

export interface Invocation {
  config: Config;
  /** What follows the command's name. */
  args: string[];
  print(line: string): void;
}

/** One command of `florin`. Needs only the database and the keys, unless it says otherwise. */
export interface Command {
  /** As it is typed: `org create`. */
  name: string;
  parameters: string;
  summary: string;
  /** Gives the exit code. */
  run(invocation: Invocation): Promise<number>;
}

/** A mistake of whoever typed the command, or something that is not there; one line says what. */
export class CommandError extends Error {
  override readonly name = "CommandError";
}

/** The kinds of a command's options, by their names. */
type Options = Record<string, { type: "string" | "boolean" }>;

/** For what a program may want to read. */
export const json = { json: { type: "boolean" } } as const;

export function asJson(value: unknown): string {
  return JSON.stringify(value, (_key, each) => (typeof each === "bigint" ? String(each) : each), 2);
}

/** Reads exactly the named positional arguments, and options of the given kinds. */
export function readArguments<const Names extends readonly string[]>(
  { args }: Invocation,
  names: Names,
  options: Options = {},
): {
  positionals: { [I in keyof Names]: string };
  values: Record<string, string | boolean | undefined>;
} {
  const parsed = parse(args, options);
  if (parsed.positionals.length !== names.length) {
    const wanted = names.map((name) => `<${name}>`).join(" ") || "no arguments";
    throw new CommandError(`This command takes ${wanted}.`);
  }
  return {
    positionals: parsed.positionals as unknown as { [I in keyof Names]: string },
    values: parsed.values as Record<string, string | boolean | undefined>,
  };
}

/** Node's own words about an option that is wrong are several lines, and not for operators. */
function parse(args: string[], options: Options) {
  const parsed = parseArgs({ args, options, allowPositionals: true, strict: false, tokens: true });
  const given = new Set<string>();
  for (const token of parsed.tokens) {
    if (token.kind !== "option") continue;
    expectOption(token, options);
    // The last would count, and whoever gave the first would not know.
    if (given.has(token.name)) throw new CommandError(`${token.rawName} is given twice.`);
    given.add(token.name);
  }
  return parsed;
}

interface OptionToken {
  name: string;
  rawName: string;
  value: string | undefined;
  inlineValue: boolean | undefined;
}

function expectOption({ name, rawName, value, inlineValue }: OptionToken, options: Options): void {
  const type = Object.hasOwn(options, name) ? options[name]?.type : undefined;
  if (type === undefined) {
    const known = Object.keys(options).map((each) => `--${each}`);
    const taken = known.length === 0 ? "takes no options" : `takes ${known.join(", ")}`;
    throw new CommandError(`There is no option ${rawName} here: this command ${taken}.`);
  }
  if (type === "boolean" && value !== undefined)
    throw new CommandError(`${rawName} takes no value.`);
  const isForgotten = value === undefined || (inlineValue !== true && value.startsWith("-"));
  if (type === "string" && isForgotten) throw new CommandError(`${rawName} needs a value.`);
}

/**
 * Uses the running database, or starts the embedded one for the moment. There must be one: a mistyped
 * place would otherwise look like books without a fault.
 */
export async function withCore<T>(
  { config }: Invocation,
  work: (core: Core) => Promise<T>,
): Promise<T> {
  await expectDatabase(config);
  return use(await openCore(config, () => undefined, expectMigrated), work);
}

/** The same, for what may come before the service first starts. */
export async function withNewCore<T>(
  { config }: Invocation,
  work: (core: Core) => Promise<T>,
): Promise<T> {
  return use(await openCore(config, () => undefined, migrateIfEmpty), work);
}

async function use<T>(core: Core, work: (core: Core) => Promise<T>): Promise<T> {
  try {
    return await work(core);
  } finally {
    await core.close();
  }
}
