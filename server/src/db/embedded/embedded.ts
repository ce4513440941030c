import { randomUUID } from "node:crypto";
import { realpath, rm } from "node:fs/promises";
import { resolve } from "node:path";
import { clusterVersion, ensureCluster, readPassword } from "./cluster.ts";
import { EmbeddedDatabaseError, explain } from "./error.ts";
import { Keeper } from "./keeper.ts";
import { withLock } from "./lock.ts";
import { databaseUrl } from "./probe.ts";
import { ownIdentity } from "./process.ts";
import { readRecord, type User, writeRecord } from "./record.ts";
import {
  becomesReady,
  findServer,
  type Server,
  type Start,
  startServer,
  stopServer,
} from "./server.ts";
import { type Layout, layOut, openSite, type Site, type Tell } from "./site.ts";
import { removeSocketDirectory } from "./socket.ts";

export interface EmbeddedDatabase {
  url: string;
  /** Whether it was already running, for another process or left behind by one that was killed. */
  reused: boolean;
  version: string;
  /** Stops the server, unless another living process still uses it; that one then stops it. */
  stop(): Promise<void>;
}

interface EmbeddedOptions {
  dataDir: string;
  log: Tell;
  /** PostgreSQL settings that replace ours. */
  settings?: Record<string, string>;
}

interface Running {
  server: Server;
  password: string;
  version: string;
  reused: boolean;
}

/**
 * Runs PostgreSQL from its npm package in the data directory, or joins the one that runs there.
 * The server is a session of its own: no signal meant for us reaches it, so it lives until its last
 * user has drained and stopped it, and after a SIGKILL it waits for the next start. If it ends before
 * that, its users start it again.
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedDatabase> {
  try {
    const site = await openSite(options.dataDir, options.log);
    return await withLock(site.lock, () => join(site, options.settings ?? {}), site.log);
  } catch (error) {
    throw explain(error, options.dataDir);
  }
}

/** Fails where there is no database yet. */
export async function expectCluster(dataDir: string): Promise<void> {
  const layout = layOut(resolve(dataDir));
  if ((await clusterVersion(layout)) === undefined) {
    throw new EmbeddedDatabaseError(
      `There is no database in ${layout.dataDir}: start Florin there first, or set FLORIN_DATA_DIR to where it runs.`,
    );
  }
}

/** Stops a server that no living process uses; false if one does. */
export async function stopAbandoned(dataDir: string): Promise<boolean> {
  return leave(layOut(await realpath(dataDir)), undefined);
}

async function join(site: Site, settings: Record<string, string>): Promise<EmbeddedDatabase> {
  const { users = [], socketDirectory } = await readRecord(site);
  const running = await reuse(site);
  const awaitedAt = users.length > 0 ? socketDirectory : undefined;
  if (running === undefined && awaitedAt === undefined && socketDirectory !== undefined) {
    await removeSocketDirectory(site, socketDirectory);
  }
  const { server, password, version, reused } =
    running ?? (await start(site, { settings, socketDirectory: awaitedAt }));
  const user: User = { id: randomUUID(), ...ownIdentity() };
  try {
    await writeRecord(site, server.socketDirectory, [...users, user]);
  } catch (error) {
    if (!reused) await stopServer(server);
    throw error;
  }
  const { socketDirectory: at } = server;
  const keeper = new Keeper(site, server, (signal) =>
    withLock(site.lock, () => revive(site, { settings, socketDirectory: at, signal }), site.log),
  );
  let stopping: Promise<unknown> | undefined;
  return {
    url: databaseUrl(at, password),
    reused,
    version,
    async stop() {
      stopping ??= keeper.stop().then(() => leave(site, user, site.log));
      await stopping;
    },
  };
}

/** One of its users starts it; the others, who come to the lock later, find it running. */
async function revive(site: Site, how: Start): Promise<Server> {
  how.signal?.throwIfAborted();
  // Never makes a new one: whoever uses the database would take it for theirs.
  await expectCluster(site.dataDir);
  return ((await reuse(site, how.signal)) ?? (await start(site, how))).server;
}

async function reuse(site: Site, signal?: AbortSignal): Promise<Running | undefined> {
  const server = await findServer(site);
  if (server === undefined) return undefined;
  const password = await readPassword(site);
  const version = await becomesReady(site, server, password, signal);
  return version === undefined ? undefined : { server, password, version, reused: true };
}

async function start(site: Site, how: Start): Promise<Running> {
  const password = await ensureCluster(site, how.settings.fsync !== "off");
  return { ...(await startServer(site, password, how)), password, reused: false };
}

/** True if nobody was left and the server has stopped. */
async function leave(
  layout: Layout,
  user: User | undefined,
  log: (line: string) => void = () => undefined,
): Promise<boolean> {
  return withLock(
    layout.lock,
    async () => {
      const { users = [], socketDirectory } = await readRecord(layout);
      const others = users.filter(({ id }) => id !== user?.id);
      if (others.length > 0 && socketDirectory !== undefined) {
        await writeRecord(layout, socketDirectory, others);
        return false;
      }
      const server = await findServer(layout);
      if (server !== undefined) await stopServer(server);
      if (socketDirectory !== undefined) await removeSocketDirectory(layout, socketDirectory);
      await rm(layout.recordFile, { force: true });
      return true;
    },
    log,
  );
}
