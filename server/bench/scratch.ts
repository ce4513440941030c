import { mkdtemp, rm, statfs } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stopAbandoned } from "../src/db/embedded/embedded.ts";
import type { Cleanup } from "./cleanup.ts";

const TMPFS = 0x01021994;

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

/** Many systems keep /tmp in memory, where durability costs nothing and measures nothing. */
async function diskDirectory(): Promise<string> {
  const usual = tmpdir();
  const { type } = await statfs(usual);
  return type === TMPFS && process.platform === "linux" ? "/var/tmp" : usual;
}
