import { spawn } from "node:child_process";
import { once } from "node:events";
import { open, readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { EmbeddedDatabaseError, hasCode, startFailure } from "./error.ts";
import { readLogFrom, rotateLog, sizeOf } from "./log-file.ts";
import { type Answer, probe } from "./probe.ts";
import { commandLine, goneWithin, identify, isAlive, type ProcessIdentity } from "./process.ts";
import { settingArguments } from "./settings.ts";
import { cleanEnvironment, giveToOwner, type Layout, type Site } from "./site.ts";
import { makeSocketDirectory, PORT } from "./socket.ts";

const READY_LIMIT_MS = 30_000;
const RECOVERY_LIMIT_MS = 10 * 60_000;

export interface Server {
  process: ProcessIdentity;
  socketDirectory: string;
}

export interface Start {
  settings: Record<string, string>;
  /** Where those who already use the database look for it. */
  socketDirectory?: string | undefined;
  /** Breaks the start off, and ends what it has started. */
  signal?: AbortSignal;
}

/** The server that runs on this cluster, whoever started it. */
export async function findServer(layout: Layout): Promise<Server | undefined> {
  const lines = await pidFileLines(layout);
  const running = identify(Number(lines[0]));
  if (running === undefined || !isServerOf(layout, running.pid)) return undefined;
  return { process: running, socketDirectory: lines[4] ?? "" };
}

/** The server's version once it takes connections; undefined if it ended instead. */
export async function becomesReady(
  site: Site,
  server: Server,
  password: string,
  signal?: AbortSignal,
): Promise<string | undefined> {
  const started = performance.now();
  let limitMs = READY_LIMIT_MS;
  for (;;) {
    signal?.throwIfAborted();
    const answer = await ask(site, server, password);
    if (answer.state === "ready") return answer.version;
    if (!isAlive(server.process)) return undefined;
    const waitedMs = performance.now() - started;
    if (waitedMs > limitMs) throw await notReady(site, waitedMs, answer.reason);
    // Recovery answers, and must not be cut short: it would begin anew at every start.
    if (answer.state === "busy" && waitedMs > 2_000 && limitMs === READY_LIMIT_MS) {
      site.log("The embedded database is still starting; after a crash it may take minutes.");
      limitMs = RECOVERY_LIMIT_MS;
    }
    await sleep(15);
  }
}

export async function startServer(
  site: Site,
  password: string,
  how: Start,
): Promise<{ server: Server; version: string }> {
  await rotateLog(site.logFile);
  const deadline = performance.now() + READY_LIMIT_MS;
  for (;;) {
    const logStart = await sizeOf(site.logFile);
    const server = await spawnServer(site, how);
    try {
      const version = await becomesReady(site, server, password, how.signal);
      if (version !== undefined) return { server, version };
    } catch (error) {
      await stopServer(server);
      throw error;
    }
    const output = await readLogFrom(site.logFile, logStart);
    // Backends of a server that was killed may outlive it for a moment.
    const clearing = /pre-existing shared memory block/.test(output);
    if (!clearing || performance.now() > deadline) {
      throw startFailure(site.dataDir, output, site.logFile);
    }
    await sleep(200);
  }
}

/** Looks at the pid file first, because PostgreSQL logs every connection that comes too early. */
async function ask(site: Site, server: Server, password: string): Promise<Answer> {
  const lines = await pidFileLines(site);
  if (Number(lines[0]) !== server.process.pid) return { state: "silent", reason: "no pid file" };
  const status = lines[7]?.trim() ?? "";
  if (status !== "ready") return { state: "busy", reason: status || "starting" };
  return probe(server.socketDirectory, password);
}

/** Fast shutdown: open transactions roll back, everything committed is on disk. */
export async function stopServer(server: Server): Promise<void> {
  for (const [signal, patienceMs] of [
    ["SIGINT", 10_000],
    ["SIGQUIT", 5_000],
  ] as const) {
    if (!isAlive(server.process)) return;
    try {
      process.kill(server.process.pid, signal);
    } catch (error) {
      if (!hasCode(error, "ESRCH")) throw error;
    }
    if (await goneWithin(server.process, patienceMs)) return;
  }
}

async function spawnServer(site: Site, how: Start): Promise<Server> {
  const socketDirectory = await makeSocketDirectory(site, how.socketDirectory);
  const { command, args, identity } = site.launch(site.binaries.postgres, [
    "-D",
    site.clusterDir,
    ...settingArguments(socketDirectory, PORT, how.settings),
  ]);
  const log = await open(site.logFile, "a", 0o600);
  try {
    await giveToOwner(log, site.logFile);
    const child = spawn(command, args, {
      ...identity,
      cwd: site.clusterDir,
      env: { ...cleanEnvironment(), ...(await forgetStalePid(site)) },
      stdio: ["ignore", log.fd, log.fd],
      // In a session of its own it survives signals to our process group, and us.
      detached: true,
    });
    await once(child, "spawn");
    child.unref();
    const pid = child.pid ?? 0;
    return { process: identify(pid) ?? { pid, startedAt: "ended" }, socketDirectory };
  } catch (cause) {
    throw new EmbeddedDatabaseError(
      `${command} cannot be run as the embedded database: ${cause instanceof Error ? cause.message : String(cause)}`,
      { cause },
    );
  } finally {
    await log.close();
  }
}

/**
 * PostgreSQL ignores a pid file whose process is dead, but not one whose pid has gone to another
 * program or to a zombie. It does ignore its grandparent's pid, and unlike removing the file, naming
 * that pid as the grandparent keeps its other guards against two servers on one cluster.
 */
async function forgetStalePid(site: Site): Promise<NodeJS.ProcessEnv> {
  const pid = Number((await pidFileLines(site))[0]);
  return Number.isInteger(pid) && !isServerOf(site, pid) ? { PG_GRANDPARENT_PID: String(pid) } : {};
}

function isServerOf(layout: Layout, pid: number): boolean {
  return commandLine(pid).includes(` -D ${layout.clusterDir} `);
}

async function pidFileLines(layout: Layout): Promise<string[]> {
  const text = await readFile(join(layout.clusterDir, "postmaster.pid"), "utf8").catch(() => "");
  return text.split("\n");
}

async function notReady(site: Site, waitedMs: number, reason: string): Promise<Error> {
  const tail = (await readFile(site.logFile, "utf8").catch(() => "")).trim().split("\n").at(-1);
  return new EmbeddedDatabaseError(
    `The embedded database was not ready after ${Math.round(waitedMs / 1000)} s (${reason}); the last line of ${site.logFile}: ${tail}`,
  );
}
