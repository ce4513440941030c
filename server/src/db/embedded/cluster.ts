import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { lchown, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { text } from "node:stream/consumers";
import { EmbeddedDatabaseError, hasCode, OWN_DATABASE_HINT, startFailure } from "./error.ts";
import { exists } from "./exists.ts";
import {
  cleanEnvironment,
  type Layout,
  makePrivateDirectory,
  type Site,
  writePrivate,
} from "./site.ts";

export const SUPERUSER = "florin";

/** Makes sure that a cluster of our version lies in the data directory; gives its password. */
export async function ensureCluster(site: Site, durable: boolean): Promise<string> {
  const version = await clusterVersion(site);
  if (version === undefined) return initialize(site, durable);
  if (version !== String(site.binaries.majorVersion)) {
    throw new EmbeddedDatabaseError(
      `${site.clusterDir} was made by PostgreSQL ${version}, but this Florin brings PostgreSQL ${site.binaries.majorVersion}: start the Florin version that made it and dump the data, or ${OWN_DATABASE_HINT}`,
    );
  }
  await ensureOwner(site);
  return readPassword(site);
}

/** Undefined if there is no cluster yet. */
export async function clusterVersion({ clusterDir }: Layout): Promise<string | undefined> {
  try {
    const names = await readdir(clusterDir);
    if (names.length === 0) return undefined;
    return (await readFile(join(clusterDir, "PG_VERSION"), "utf8")).trim();
  } catch (error) {
    if (hasCode(error, "ENOENT") && !(await exists(clusterDir))) return undefined;
    if (hasCode(error, "ENOENT", "ENOTDIR")) {
      throw new EmbeddedDatabaseError(
        `${clusterDir} exists but is not a PostgreSQL cluster: move it away, or set FLORIN_DATA_DIR to another directory`,
      );
    }
    throw notReadable(clusterDir, error);
  }
}

export async function readPassword(site: Site): Promise<string> {
  try {
    return (await readFile(site.passwordFile, "utf8")).trim();
  } catch (error) {
    if (!hasCode(error, "ENOENT")) throw notReadable(site.passwordFile, error);
    throw new EmbeddedDatabaseError(
      `${site.passwordFile}, the password of the cluster beside it, is missing: restore it from a backup, or move ${site.clusterDir} away to start afresh`,
    );
  }
}

/**
 * The cluster is made in a directory beside its place and moved there complete, so that a crash in
 * the middle leaves no half cluster.
 */
async function initialize(site: Site, durable: boolean): Promise<string> {
  site.log("Creating the embedded PostgreSQL database.");
  await removeStagings(site);
  const password = randomBytes(24).toString("hex");
  await writePrivate(site.passwordFile, `${password}\n`);
  const staging = `${site.clusterDir}.init-${process.pid}`;
  try {
    await makePrivateDirectory(site, staging);
    await runInitdb(site, staging, password, durable);
    await rename(join(staging, "cluster"), site.clusterDir);
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
  return password;
}

async function runInitdb(
  site: Site,
  staging: string,
  password: string,
  durable: boolean,
): Promise<void> {
  const passwordFile = join(staging, "password");
  await writeFile(passwordFile, password, { mode: 0o600 });
  if (site.account !== undefined) {
    await lchown(passwordFile, site.account.uid, site.account.gid);
  }
  const { command, args, identity } = site.launch(site.binaries.initdb, [
    `--pgdata=${join(staging, "cluster")}`,
    `--username=${SUPERUSER}`,
    `--pwfile=${passwordFile}`,
    "--auth=scram-sha-256",
    "--encoding=UTF8",
    "--locale=C",
    ...(durable ? [] : ["--no-sync"]),
  ]);
  const child = spawn(command, args, {
    ...identity,
    cwd: staging,
    env: cleanEnvironment(),
    stdio: ["ignore", "pipe", "pipe"],
  });
  const exit = once(child, "close").catch((error: unknown) => [String(error)]);
  const [errors, [status]] = await Promise.all([text(child.stderr), exit, text(child.stdout)]);
  if (status !== 0) throw startFailure(site.dataDir, errors || `initdb ended with ${status}`);
}

async function removeStagings(site: Site): Promise<void> {
  for (const name of await readdir(site.dataDir)) {
    if (!name.startsWith(`${basename(site.clusterDir)}.init-`)) continue;
    await rm(join(site.dataDir, name), { recursive: true, force: true });
  }
}

/** PostgreSQL insists on owning its files; root can give them back, for example after a restore. */
async function ensureOwner(site: Site): Promise<void> {
  const { uid } = await stat(site.clusterDir);
  const expected = site.account?.uid ?? process.getuid?.() ?? uid;
  if (uid === expected) return;
  if (site.account === undefined) {
    throw new EmbeddedDatabaseError(
      `${site.clusterDir} belongs to user id ${uid}, not to you: start Florin as the user who made it, or set FLORIN_DATA_DIR to another directory`,
    );
  }
  const { gid } = site.account;
  const names = await readdir(site.clusterDir, { recursive: true });
  for (const name of ["", ...names]) await lchown(join(site.clusterDir, name), expected, gid);
}

function notReadable(path: string, cause: unknown): Error {
  return new EmbeddedDatabaseError(
    `${path} cannot be read (${cause instanceof Error ? cause.message : String(cause)}): start Florin as the user who made it, or set FLORIN_DATA_DIR to another directory`,
    { cause },
  );
}
