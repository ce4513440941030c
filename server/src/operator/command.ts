import { parseArgs } from "node:util";
import { type Core, openCore } from "../core.ts";
import { expectDatabase } from "../db/database.ts";
import { expectMigrated, migrateIfEmpty } from "../db/migrate.ts";
import type { Config } from "../foundation/config.ts";

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

/** Reads exactly the named positional arguments, and options of the given kinds. */
export function readArguments<const Names extends readonly string[]>(
  { args }: Invocation,
  names: Names,
  options: Record<string, { type: "string" | "boolean" }> = {},
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

function parse(args: string[], options: Record<string, { type: "string" | "boolean" }>) {
  try {
    return parseArgs({ args, options, allowPositionals: true });
  } catch (error) {
    throw new CommandError(error instanceof Error ? error.message : String(error));
  }
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
