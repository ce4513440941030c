import { readFile } from "node:fs/promises";
import { isAlive, type ProcessIdentity } from "./process.ts";
import { type Layout, writePrivate } from "./site.ts";
import { PORT } from "./socket.ts";

/** One use of the database by a process; a process may have several. */
export interface User extends ProcessIdentity {
  id: string;
}

interface ServerRecord {
  socketDirectory: string;
  users: User[];
}

/** Where the server was last reached, and the processes still alive that use it. */
export async function readRecord(layout: Layout): Promise<Partial<ServerRecord>> {
  try {
    const record = JSON.parse(await readFile(layout.recordFile, "utf8")) as ServerRecord;
    return { ...record, users: record.users.filter(isAlive) };
  } catch {
    return {};
  }
}

export async function writeRecord(
  layout: Layout,
  socketDirectory: string,
  users: User[],
): Promise<void> {
  const record = { port: PORT, socketDirectory, writtenAt: new Date(), users };
  await writePrivate(layout.recordFile, `${JSON.stringify(record, undefined, 2)}\n`);
}
