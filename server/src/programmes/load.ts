import { readFile } from "node:fs/promises";
import { ConfigError } from "../foundation/config.ts";
import type { Programme } from "./programmes.ts";
import { readProgrammes } from "./read.ts";

/** The programmes of the configured file, or the default ones. */
export async function loadProgrammes(path: string | undefined): Promise<Programme[]> {
  return readProgrammes(path === undefined ? undefined : await readText(path));
}

async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new ConfigError([`FLORIN_PROGRAMMES_FILE: cannot be read (${code ?? "unknown error"})`]);
  }
}
