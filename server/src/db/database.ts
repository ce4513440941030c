import type { Config } from "../foundation/config/table.ts";
import { expectCluster, startEmbedded } from "./embedded/embedded.ts";
import type { Tell } from "./embedded/site.ts";

export interface Database {
  url: string;
  stop(): Promise<void>;
}

/** The configured PostgreSQL, or an embedded one that lives and dies with this process. */
export async function openDatabase({ databaseUrl, dataDir }: Config, say: Tell): Promise<Database> {
  if (databaseUrl !== undefined) return { url: databaseUrl, stop: async () => undefined };
  return startEmbedded({ dataDir, log: say });
}

/** Fails where opening the database would begin a new one. */
export async function expectDatabase({ databaseUrl, dataDir }: Config): Promise<void> {
  if (databaseUrl === undefined) await expectCluster(dataDir);
}
