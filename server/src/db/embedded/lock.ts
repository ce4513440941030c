import { randomUUID } from "node:crypto";
import { open, readdir, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { EmbeddedDatabaseError } from "./error.ts";
import { isAlive, ownIdentity, type ProcessIdentity } from "./process.ts";

// Longer than the longest start that may be waited for, which is a crash recovery.
const WAIT_LIMIT_MS = 15 * 60_000;

/**
 * Runs `work` while no other process runs its own under the same lock.
 * Every contender puts up a file with its identity in the name, then looks round: whoever sees a
 * living competitor takes its file down and tries again. A file that nobody alive answers for is
 * removed by anyone, without a race, because its name never comes back.
 */
export async function withLock<T>(
  lock: string,
  work: () => Promise<T>,
  log: (line: string) => void,
): Promise<T> {
  const file = await acquire(lock, log);
  try {
    return await work();
  } finally {
    await rm(file, { force: true });
  }
}

async function acquire(lock: string, log: (line: string) => void): Promise<string> {
  const { pid, startedAt } = ownIdentity();
  const file = `${lock}-${pid}-${startedAt}-${randomUUID()}`;
  const startedWaiting = performance.now();
  let told = false;
  for (;;) {
    let holder = await competitor(lock, file);
    if (holder === undefined) {
      await (await open(file, "wx", 0o600)).close();
      holder = await competitor(lock, file);
      if (holder === undefined) return file;
      await rm(file, { force: true });
    }
    const waitedMs = performance.now() - startedWaiting;
    if (waitedMs > WAIT_LIMIT_MS) throw stuck(lock, holder);
    if (waitedMs > 2000 && !told) {
      log(`Waiting for process ${holder.pid}, which starts or stops the embedded database.`);
      told = true;
    }
    await sleep(20 + Math.random() * 40);
  }
}

async function competitor(lock: string, own: string): Promise<ProcessIdentity | undefined> {
  const directory = dirname(lock);
  const prefix = `${basename(lock)}-`;
  for (const name of await readdir(directory)) {
    if (!name.startsWith(prefix) || name === basename(own)) continue;
    const holder = parseHolder(name.slice(prefix.length));
    if (isAlive(holder)) return holder;
    await rm(join(directory, name), { force: true });
  }
  return undefined;
}

function parseHolder(text: string): ProcessIdentity {
  const [, pid = "", startedAt = ""] = /^(\d+)-(.*)-[\da-f-]{36}$/.exec(text) ?? [];
  return { pid: Number(pid), startedAt };
}

function stuck(lock: string, holder: ProcessIdentity): Error {
  return new EmbeddedDatabaseError(
    `Process ${holder.pid} has been starting or stopping the embedded database in ${dirname(lock)} for very long: end it and start again`,
  );
}
