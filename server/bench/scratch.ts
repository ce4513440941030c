import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { stopAbandoned } from "../src/db/embedded/embedded.ts";
import type { Cleanup } from "./cleanup.ts";
import { diskDirectory } from "./disk.ts";

export interface DataDir {
  path: string;
  remove(): Promise<void>;
}

/** A new data directory that goes away with the benchmark, and a database left in it too. */
export async function makeDataDir(cleanup: Cleanup): Promise<DataDir> {
  const path = await mkdtemp(join(await diskDirectory(), "florin-bench-"));
  const remove = cleanup.add(async () => {
    await stopAbandoned(path);
    await rm(path, { recursive: true, force: true });
  });
  return { path, remove };
}
