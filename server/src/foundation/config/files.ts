import { readFile } from "node:fs/promises";
import { ConfigError } from "./config.ts";

/** The content of a file that a key of the configuration names. */
export async function readConfigFile(key: string, path: string): Promise<Buffer> {
  try {
    return await readFile(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new ConfigError([`${key}: ${path} cannot be read (${code ?? "unknown error"})`]);
  }
}

/** Waits for all parts of a configuration, and throws all their problems at once, after those found before. */
export async function allParts<const Parts extends readonly Promise<unknown>[]>(
  parts: Parts,
  problemsBefore: readonly string[] = [],
): Promise<{ -readonly [I in keyof Parts]: Awaited<Parts[I]> }> {
  const outcomes = await Promise.allSettled(parts);
  const problems = [...problemsBefore, ...outcomes.flatMap(problemsOf)];
  if (problems.length > 0) throw new ConfigError(problems);
  return Promise.all(parts);
}

function problemsOf(outcome: PromiseSettledResult<unknown>): readonly string[] {
  if (outcome.status === "fulfilled") return [];
  if (outcome.reason instanceof ConfigError) return outcome.reason.problems;
  throw outcome.reason;
}
