import { readFileSync } from "node:fs";
import type { Key } from "./keys.ts";

export type Environment = Record<string, string | undefined>;

/** Names the file that holds a secret, where that is not in the environment itself. */
export const fileKeyOf = ({ env }: Key<unknown>): string => `${env}_FILE`;

/**
 * The text that is given for a key, undefined where there is none. An environment is shown by many programs and passed
 * on to others, so secrets may come in files, as containers are given them. Throws as the parser of a key does, with
 * what follows its name.
 */
export function givenFor(key: Key<unknown>, environment: Environment): string | undefined {
  const given = textOf(environment, key.env);
  const file = key.secret ? textOf(environment, fileKeyOf(key)) : undefined;
  if (file === undefined) return given;
  if (given !== undefined) throw new Error(`and ${fileKeyOf(key)} are both set`);
  return readSecret(file);
}

function readSecret(path: string): string {
  let secret: string;
  try {
    secret = readFileSync(path, "utf8").trim();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new Error(`is in a file that cannot be read: ${path} (${code ?? "unknown error"})`);
  }
  // Not as if it were unset: a default would take the place of a secret that is meant to be there.
  if (secret === "") throw new Error(`is in a file that is empty: ${path}`);
  return secret;
}

function textOf(environment: Environment, name: string): string | undefined {
  const value = environment[name]?.trim();
  return value === "" ? undefined : value;
}
