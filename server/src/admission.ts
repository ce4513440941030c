import type pg from "pg";
import { refuseForeignDatabase } from "./db/environment.ts";
import { createClient } from "./db/pool.ts";
import { expectOwnSessions } from "./db/sessions.ts";
import type { Config } from "./foundation/config-table.ts";
import { parseMasterKeys } from "./foundation/keyring.ts";
import { proveMasterKeys } from "./keys/data-keys.ts";

/**
 * Fails if a database cannot be used with this configuration. Changes nothing: migrations only go forward, and
 * whoever started the wrong thing by mistake must find everything as it was.
 */
export async function expectUsable(url: string, { env, masterKey }: Config): Promise<void> {
  const [one, other] = [openClient(url), openClient(url)];
  try {
    await Promise.all([one.connect(), other.connect()]);
    await expectOwnSessions(one, other);
    // Before the keys, which in another environment's database would only fail with a less clear error.
    await refuseForeignDatabase(one, env);
    await proveMasterKeys(one, parseMasterKeys(masterKey));
  } finally {
    await Promise.all([one.end(), other.end()]);
  }
}

function openClient(url: string): pg.Client {
  const client = createClient(url, { application_name: "florin-admission" });
  // A connection that breaks fails whoever uses it next; without a listener it would end the process.
  return client.on("error", () => undefined);
}
