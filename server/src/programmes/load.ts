import { readConfigFile } from "../foundation/config/files.ts";
import { configKeys } from "../foundation/config/table.ts";
import type { Programme } from "./programmes.ts";
import { readProgrammes } from "./read.ts";

/** The programmes of the configured file, or the default ones. */
export async function loadProgrammes(path: string | undefined): Promise<Programme[]> {
  if (path === undefined) return readProgrammes();
  return readProgrammes(String(await readConfigFile(configKeys.programmesFile.env, path)));
}
