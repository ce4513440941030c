import { readFile } from "node:fs/promises";
import { join } from "node:path";
import pg from "pg";
import { startEmbedded } from "../src/db/embedded/embedded.ts";
import { layOut } from "../src/db/embedded/site.ts";
import type { Cleanup } from "./cleanup.ts";

/** The embedded PostgreSQL of the service under test, joined as a second user. */
export interface JoinedDatabase {
  url: string;
  version: string;
  postmasterPid: number;
  /** Finishes what earlier samples have left to be done, so that each starts alike. */
  settle(): Promise<void>;
  run(sql: string): Promise<void>;
}

export async function joinDatabase(dataDir: string, cleanup: Cleanup): Promise<JoinedDatabase> {
  const { url, version, stop } = await startEmbedded({ dataDir, log: () => undefined });
  cleanup.add(stop);
  const run = async (sql: string): Promise<void> => {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    await client.query(sql).finally(() => client.end());
  };
  const pidFile = await readFile(join(layOut(dataDir).clusterDir, "postmaster.pid"), "utf8");
  return {
    url,
    version,
    postmasterPid: Number.parseInt(pidFile, 10),
    settle: async () => {
      await run("vacuum (analyze)");
      await run("checkpoint");
    },
    run,
  };
}
