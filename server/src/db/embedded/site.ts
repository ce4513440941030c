import { chown, type FileHandle, mkdir, open, realpath, rename, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type Account, chooseAccount, type Launch, planLaunch } from "./account.ts";
import { type Binaries, findBinaries } from "./binaries.ts";
import { EmbeddedDatabaseError } from "./error.ts";

/** A data directory, what lies where in it, and how PostgreSQL's programs run there. */
export interface Site extends Layout {
  account: Account | undefined;
  binaries: Binaries;
  launch: (command: string, args: string[]) => Launch;
  log: Tell;
}

/** Tells whoever runs Florin; an error is what keeps it from its database. */
export type Tell = (line: string, level?: "info" | "error") => void;

export interface Layout {
  dataDir: string;
  clusterDir: string;
  passwordFile: string;
  recordFile: string;
  logFile: string;
  lock: string;
}

export function layOut(dataDir: string): Layout {
  return {
    dataDir,
    clusterDir: join(dataDir, "postgres"),
    passwordFile: join(dataDir, "postgres.password"),
    recordFile: join(dataDir, "postgres.json"),
    logFile: join(dataDir, "postgres.log"),
    lock: join(dataDir, "postgres.lock"),
  };
}

export async function openSite(dataDir: string, log: Tell): Promise<Site> {
  const layout = layOut(await openDataDir(dataDir));
  const binaries = await findBinaries();
  const account = await chooseAccount(layout.dataDir, layout.clusterDir);
  const launch = await planLaunch(account, layout.dataDir, binaries);
  return { ...layout, account, binaries, launch, log };
}

async function openDataDir(dataDir: string): Promise<string> {
  try {
    await mkdir(dataDir, { recursive: true });
    return await realpath(dataDir);
  } catch (cause) {
    throw new EmbeddedDatabaseError(
      `The data directory ${dataDir} cannot be created: ${String(cause)}; set FLORIN_DATA_DIR to a directory that can`,
      { cause },
    );
  }
}

/** PostgreSQL's programs get nothing of our environment, which holds keys and may hold PG* settings. */
export function cleanEnvironment(): NodeJS.ProcessEnv {
  return { PATH: process.env.PATH, LC_ALL: "C" };
}

export async function makePrivateDirectory(site: Site, directory: string): Promise<void> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  if (site.account !== undefined) await chown(directory, site.account.uid, site.account.gid);
}

/** Replaces a file that only its owner may read, whole and durably. */
export async function writePrivate(file: string, text: string): Promise<void> {
  const draft = `${file}.new`;
  const handle = await open(draft, "w", 0o600);
  try {
    await handle.writeFile(text);
    await giveToOwner(handle, file);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(draft, file);
}

/** Started once with sudo, Florin must not lock the directory's owner out afterwards. */
export async function giveToOwner(handle: FileHandle, file: string): Promise<void> {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = await stat(dirname(file));
  await handle.chown(uid, gid);
}
