import { expectUsable } from "./admission.ts";
import { type Database, openDatabase } from "./db/database.ts";
import type { Tell } from "./db/embedded/site.ts";
import { claimDatabase } from "./db/environment.ts";
import { migrate } from "./db/migrate.ts";
import { createPool, createPoolBehindPooler, type Pool } from "./db/pool.ts";
import { SharedStateFeed } from "./db/shared-state.ts";
import { ServiceClock } from "./foundation/clock.ts";
import type { Config } from "./foundation/config/table.ts";
import { parseMasterKeys } from "./foundation/keyring.ts";
import { Vault } from "./keys/vault.ts";

/** What the service and the operator's commands stand on: the database, its keys and its time. */
export interface Core {
  /** For connections of one's own, each with a session of its own. */
  databaseUrl: string;
  /** Perhaps behind a pooler: its connections keep nothing from one transaction to the next. */
  pool: Pool;
  vault: Vault;
  clock: ServiceClock;
  feed: SharedStateFeed;
  /** Closes the connections and, last of all, stops a database that was started here. */
  close(): Promise<void>;
}

export async function openCore(
  config: Config,
  say: Tell,
  prepare: (url: string) => Promise<void> = (url) => migrate(url, say),
  feedName = "florin-operator",
): Promise<Core> {
  const database = await openDatabase(config, say);
  try {
    await expectUsable(database.url, config);
    await prepare(database.url);
    return await connect(config, database, feedName);
  } catch (error) {
    await database.stop();
    throw error;
  }
}

async function connect(config: Config, database: Database, feedName: string): Promise<Core> {
  const { databasePoolerUrl, databasePoolSize } = config;
  const pool =
    databasePoolerUrl === undefined
      ? createPool(database.url, databasePoolSize)
      : createPoolBehindPooler(databasePoolerUrl, databasePoolSize);
  // Of its own: however busy the pool is, what every process must know arrives in time.
  const feedPool = createPool(database.url, 1, feedName);
  const feed = new SharedStateFeed(feedPool);
  const clock = new ServiceClock();
  feed.on("clockOffsetMs", (offsetMs) => clock.follow(offsetMs));
  const close = async (): Promise<void> => {
    feed.stop();
    await Promise.all([pool.end(), feedPool.end()]);
    await database.stop();
  };
  try {
    await feed.start();
    const vault = await Vault.open(pool, parseMasterKeys(config.masterKey), clock);
    // Last of all: a start that fails must not make the database its own.
    await claimDatabase(pool, config.env);
    return { databaseUrl: database.url, pool, vault, clock, feed, close };
  } catch (error) {
    await close();
    throw error;
  }
}
