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
  /** Lets every commit wait for the disk so much longer, whoever's it is, as where the disk is a network's. */
  slowCommits(byMs: number): Promise<void>;
  /** However long it takes. */
  run(sql: string, values?: unknown[]): Promise<void>;
}

/**
 * Plans that were made for a table that was vacuumed while empty are for one that stays so, which no
 * table of a real installation is; so those are left alone, and those that nothing has changed in.
 */
const VACUUM_WHAT_IS_FILLED = `
  select format('vacuum (analyze) %I', relname) as sql from pg_stat_user_tables
   where n_live_tup > 0 and (n_mod_since_analyze > 0 or n_ins_since_vacuum > 0)`;

export async function joinDatabase(dataDir: string, cleanup: Cleanup): Promise<JoinedDatabase> {
  const { url, version, stop } = await startEmbedded({ dataDir, log: () => undefined });
  cleanup.add(stop);
  const pidFile = await readFile(join(layOut(dataDir).clusterDir, "postmaster.pid"), "utf8");
  return {
    url,
    version,
    postmasterPid: Number.parseInt(pidFile, 10),
    settle: () => settle(url),
    slowCommits: (byMs) =>
      connected(url, async (client) => {
        // Whoever flushes the log sleeps first, and those who come meanwhile wait for the next flush.
        await client.query(`alter system set commit_delay = ${byMs * 1_000}`);
        await client.query("alter system set commit_siblings = 0");
        await client.query("select pg_reload_conf()");
      }),
    run: (sql, values) =>
      connected(url, async (client) => {
        await client.query(sql, values);
      }),
  };
}

/** Finishes what has been left to be done in a database of the server. */
export function settle(url: string): Promise<void> {
  return connected(url, async (client) => {
    const { rows } = await client.query<{ sql: string }>(VACUUM_WHAT_IS_FILLED);
    for (const { sql } of rows) await client.query(sql);
    await client.query("checkpoint");
  });
}

async function connected<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return work(client).finally(() => client.end());
}
