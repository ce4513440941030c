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

/**
 * Plans that were made for a table that was vacuumed while empty are for one that stays so, which no
 * table of a real installation is; so those are left alone.
 */
const VACUUM_WHAT_IS_FILLED = `
  select format('vacuum (analyze) %I', relname) from pg_stat_user_tables where n_live_tup > 0`;

export async function joinDatabase(dataDir: string, cleanup: Cleanup): Promise<JoinedDatabase> {
  const { url, version, stop } = await startEmbedded({ dataDir, log: () => undefined });
  cleanup.add(stop);
  const query = async (sql: string): Promise<pg.QueryResult> => {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    return client.query(sql).finally(() => client.end());
  };
  const run = async (sql: string): Promise<void> => {
    await query(sql);
  };
  const pidFile = await readFile(join(layOut(dataDir).clusterDir, "postmaster.pid"), "utf8");
  return {
    url,
    version,
    postmasterPid: Number.parseInt(pidFile, 10),
    settle: async () => {
      const { rows } = await query(VACUUM_WHAT_IS_FILLED);
      for (const { format } of rows) await run(format);
      await run("checkpoint");
    },
    run,
  };
}
