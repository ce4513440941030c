import type pg from "pg";
import { refuseForeignDatabase } from "./db/environment.ts";
import { createClient } from "./db/pool.ts";
import { expectUsablePooler } from "./db/pooler.ts";
import { expectOwnSessions } from "./db/sessions.ts";
import type { Config } from "./foundation/config/table.ts";
import { parseMasterKeys } from "./foundation/keyring.ts";
import { proveMasterKeys } from "./keys/data-keys.ts";

/**
 * Fails if a database cannot be used with this configuration. Changes nothing: migrations only go forward, and
 * whoever started the wrong thing by mistake must find everything as it was.
 */
export async function expectUsable(url: string, config: Config): Promise<void> {
  const { env, masterKey, databasePoolerUrl } = config;
  await withClients([url, url], async (one, other) => {
    await expectOwnSessions(one, other);
    // Before the keys, which in another environment's database would only fail with a less clear error.
    await refuseForeignDatabase(one, env);
    await proveMasterKeys(one, parseMasterKeys(masterKey));
  });
  if (databasePoolerUrl !== undefined) {
    await withClients([url, databasePoolerUrl], expectUsablePooler);
  }
}

async function withClients(
  [first, second]: [string, string],
  work: (one: pg.Client, other: pg.Client) => Promise<void>,
): Promise<void> {
  const [one, other] = [openClient(first), openClient(second)];
  try {
    await Promise.all([one.connect(), other.connect()]);
    await work(one, other);
  } finally {
    await Promise.all([one.end(), other.end()]);
  }
}

function openClient(url: string): pg.Client {
  const client = createClient(url, { application_name: "florin-admission" });
  // A connection that breaks fails whoever uses it next; without a listener it would end the process.
  return client.on("error", () => undefined);
}
