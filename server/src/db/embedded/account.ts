import { existsSync, readFileSync } from "node:fs";
import { chmod, readFile, stat } from "node:fs/promises";
import { dirname } from "node:path";
import type { Binaries } from "./binaries.ts";
import { EmbeddedDatabaseError, OWN_DATABASE_HINT } from "./error.ts";

/** The unprivileged user that PostgreSQL, which refuses to run as root, runs as. */
export interface Account {
  uid: number;
  gid: number;
}

export interface Launch {
  command: string;
  args: string[];
  identity: { uid?: number; gid?: number };
}

/** Undefined for an ordinary user, who runs PostgreSQL as themselves. */
export async function chooseAccount(
  dataDir: string,
  clusterDir: string,
): Promise<Account | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const cluster = await ownerOf(clusterDir);
  if (cluster !== undefined) return cluster;
  const users = await readFile("/etc/passwd", "utf8").catch(() => "");
  const owner = await ownerOf(dataDir);
  // initdb refuses user ids without a name, which bind mounts bring into containers.
  if (owner !== undefined && isNamed(users, owner.uid)) return owner;
  return lookUp(users, "postgres") ?? lookUp(users, "nobody") ?? { uid: 65534, gid: 65534 };
}

async function ownerOf(directory: string): Promise<Account | undefined> {
  const { uid, gid } = await stat(directory).catch(() => ({ uid: 0, gid: 0 }));
  return uid === 0 ? undefined : { uid, gid };
}

function isNamed(users: string, uid: number): boolean {
  return process.platform !== "linux" || new RegExp(`^[^:]+:[^:]*:${uid}:`, "m").test(users);
}

function lookUp(users: string, name: string): Account | undefined {
  const [, uid, gid] = new RegExp(`^${name}:[^:]*:(\\d+):(\\d+):`, "m").exec(users) ?? [];
  return uid === undefined ? undefined : { uid: Number(uid), gid: Number(gid) };
}

/** How to run one of PostgreSQL's programs for this data directory. */
export async function planLaunch(
  account: Account | undefined,
  dataDir: string,
  binaries: Binaries,
): Promise<(command: string, args: string[]) => Launch> {
  if (account === undefined) return (command, args) => ({ command, args, identity: {} });
  await openDataDir(account, dataDir);
  for (const path of [dataDir, dirname(binaries.postgres), ...binaries.support]) {
    const closed = await closedDirectory(account, path);
    if (closed !== undefined) return throughClosedDirectory(account, path, closed);
  }
  return (command, args) => ({ command, args, identity: account });
}

/** Lets the account pass through the data directory, not list it. Directories above it are not ours to change. */
async function openDataDir(account: Account, dataDir: string): Promise<void> {
  const { mode } = await stat(dataDir);
  if ((await closedDirectory(account, dataDir)) === dataDir) await chmod(dataDir, mode | 0o011);
}

/** The first directory on the way to `path` that the account may not pass. */
async function closedDirectory(account: Account, path: string): Promise<string | undefined> {
  const way = [path];
  while (way[0] !== undefined && way[0] !== dirname(way[0])) way.unshift(dirname(way[0]));
  for (const directory of way) {
    const { uid, gid, mode } = await stat(directory);
    const pass = uid === account.uid ? 0o100 : gid === account.gid ? 0o010 : 0o001;
    if ((mode & pass) === 0) return directory;
  }
  return undefined;
}

/**
 * Root often works below a directory that only root may enter, such as /root or a fresh temporary
 * directory. PostgreSQL then keeps one capability, to pass and read closed directories, and drops
 * all others. Containers often withhold that one and leave the broader DAC_OVERRIDE.
 */
function throughClosedDirectory(account: Account, path: string, closed: string) {
  const capability = ownCapability();
  const setpriv = ["/usr/bin/setpriv", "/bin/setpriv"].find((program) => existsSync(program));
  if (capability === undefined || setpriv === undefined) {
    throw new EmbeddedDatabaseError(
      `PostgreSQL does not run as root, and user id ${account.uid} cannot reach ${path} because ${closed} is closed to it: set FLORIN_DATA_DIR outside ${closed}, run Florin as an ordinary user, or ${OWN_DATABASE_HINT}`,
    );
  }
  const { uid, gid } = account;
  const only = `-all,+${capability}`;
  const drop = [`--reuid=${uid}`, `--regid=${gid}`, "--clear-groups", `--bounding-set=${only}`];
  // Without the secure bit access(2), by which PostgreSQL looks for its own files, ignores it.
  const keep = [`--inh-caps=${only}`, `--ambient-caps=${only}`, "--securebits=+no_setuid_fixup"];
  return (command: string, args: string[]): Launch => ({
    command: setpriv,
    args: [...drop, ...keep, "--", command, ...args],
    identity: {},
  });
}

function ownCapability(): string | undefined {
  if (process.platform !== "linux") return undefined;
  const status = readFileSync("/proc/self/status", "utf8");
  const permitted = BigInt(`0x${/^CapPrm:\s*([\da-f]+)$/m.exec(status)?.[1] ?? "0"}`);
  if ((permitted & (1n << 2n)) !== 0n) return "dac_read_search";
  if ((permitted & (1n << 1n)) !== 0n) return "dac_override";
  return undefined;
}
