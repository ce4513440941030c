import type { Pool } from "../db/pool.ts";
import type { Config } from "../foundation/config/table.ts";
import { DAY_MS } from "../foundation/dates.ts";
import { deleteOldLinks } from "./onboarding/store.ts";
import { deleteEndedSessions } from "./sessions/store.ts";

const LINKS_KEPT_MS = 30 * DAY_MS;

/** Clears away sessions that are over and links that have long stopped working. */
export async function forgetEnded(pool: Pool, config: Pick<Config, "sessionIdleS">): Promise<void> {
  const now = new Date();
  await deleteEndedSessions(pool, { now, idleS: config.sessionIdleS });
  await deleteOldLinks(pool, new Date(now.getTime() - LINKS_KEPT_MS));
}
