import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openCore } from "../src/core.ts";
import { ForeignDatabase } from "../src/db/environment.ts";
import { readConfig } from "../src/foundation/config/config.ts";
import type { Config } from "../src/foundation/config/table.ts";
import { WrongMasterKey } from "../src/foundation/keyring.ts";
import { createLog } from "../src/foundation/log.ts";
import { migrateCommand } from "../src/operator/migrate.ts";
import { startService } from "../src/service.ts";
import { readSetup } from "../src/setup.ts";
import { explainStartError } from "../src/welcome.ts";
import { execute } from "./harness/empty-database.ts";
import { PUBLIC_API_URL, PUBLIC_DASHBOARD_URL, PUBLIC_IDENTITY_URL } from "./harness/production.ts";
import { scratchDatabase } from "./harness/scratch.ts";
import { absentSumsub } from "./harness/sumsub.ts";

let dataDir: string;
beforeAll(() => {
  dataDir = mkdtempSync(join(tmpdir(), "florin-test-"));
});
afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

const common = (url: string) => ({
  FLORIN_DATABASE_URL: url,
  FLORIN_DATA_DIR: dataDir,
  FLORIN_API_PORT: "0",
  FLORIN_IDENTITY_PORT: "0",
  FLORIN_NETWORK_PORT: "0",
  FLORIN_DASHBOARD_PORT: "0",
  FLORIN_LOG_LEVEL: "silent",
});

/** Each with a key of its own: whose database it is comes before whether its keys fit. */
const environments = {
  sandbox: {},
  production: {
    FLORIN_ENV: "production",
    FLORIN_MASTER_KEY: randomBytes(32).toString("base64"),
    FLORIN_API_URL: PUBLIC_API_URL,
    FLORIN_IDENTITY_URL: PUBLIC_IDENTITY_URL,
    FLORIN_DASHBOARD_URL: PUBLIC_DASHBOARD_URL,
    FLORIN_TRUST_PROXY: "127.0.0.1",
    ...absentSumsub,
  },
};

async function startAndStop(environment: keyof typeof environments, url: string): Promise<void> {
  const setup = await readSetup({ ...common(url), ...environments[environment] });
  const service = await startService(setup, createLog({ level: "silent" }));
  await service.stop();
}

async function organizationsIn(connectionString: string): Promise<number> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  const { rowCount } = await client.query("select from organizations");
  await client.end();
  return rowCount ?? 0;
}

test("a database that a sandbox has used is not production's", async () => {
  const database = await scratchDatabase();
  await startAndStop("sandbox", database.url);
  await expect(startAndStop("production", database.url)).rejects.toThrow(
    "The database belongs to a sandbox: production needs one of its own.",
  );
  await startAndStop("sandbox", database.url);
  await database.drop();
});

test("a database that production has used is no sandbox, and none is made of it", async () => {
  const database = await scratchDatabase();
  await startAndStop("production", database.url);
  await expect(startAndStop("sandbox", database.url)).rejects.toThrow(
    "The database belongs to production: a sandbox needs one of its own. FLORIN_ENV says which",
  );
  expect(await organizationsIn(database.url)).toBe(0);
  await startAndStop("production", database.url);
  await database.drop();
});

test("an operator's command is a use, too", async () => {
  const database = await scratchDatabase();
  const config = readConfig({ ...common(database.url), ...environments.production });
  const operator = await openCore(config, () => undefined);
  await operator.close();
  await expect(startAndStop("sandbox", database.url)).rejects.toThrow(ForeignDatabase);
  const sandbox = readConfig(common(database.url));
  await expect(openCore(sandbox, () => undefined)).rejects.toThrow(ForeignDatabase);
  await database.drop();
});

async function expectRefusedUntouched(config: Config): Promise<void> {
  const migrated: string[] = [];
  const open = openCore(
    config,
    () => undefined,
    async (url) => void migrated.push(url),
  );
  await expect(open).rejects.toThrow(ForeignDatabase);
  expect(migrated).toEqual([]);
}

test("nothing is done to another environment's database, not even a migration", async () => {
  const database = await scratchDatabase();
  await startAndStop("production", database.url);
  const sandbox = readConfig(common(database.url));
  await expectRefusedUntouched(sandbox);
  const printed: string[] = [];
  const print = (line: string) => void printed.push(line);
  const command = migrateCommand.run({ config: sandbox, args: [], print });
  await expect(command).rejects.toThrow(ForeignDatabase);
  expect(printed).toEqual([]);
  await database.drop();
});

/** As a schema leaves it that is older than this rule. */
const disown = (url: string): Promise<unknown> =>
  execute(url, "update shared_state set environment = null");

const ownerOf = (url: string): Promise<unknown> =>
  execute(url, "select environment from shared_state");

test("a sandbox is known as one also where the schema is older than this rule, and is not migrated", async () => {
  const database = await scratchDatabase();
  const { FLORIN_MASTER_KEY } = environments.production;
  const setup = await readSetup({ ...common(database.url), FLORIN_MASTER_KEY });
  const service = await startService(setup, createLog({ level: "silent" }));
  await service.stop();
  await execute(database.url, "alter table shared_state drop column environment");
  const production = readConfig({ ...common(database.url), ...environments.production });
  await expectRefusedUntouched(production);
  await database.drop();
});

test("a sandbox that is started by mistake does not make production's database its own", async () => {
  const database = await scratchDatabase();
  await startAndStop("production", database.url);
  await disown(database.url);
  await expect(startAndStop("sandbox", database.url)).rejects.toThrow(WrongMasterKey);
  expect(await ownerOf(database.url)).toEqual([{ environment: null }]);
  await startAndStop("production", database.url);
  expect(await ownerOf(database.url)).toEqual([{ environment: "production" }]);
  await database.drop();
});

test("nor does one that comes while production is making its first keys", async () => {
  const database = await scratchDatabase();
  const makeKeys = async (url: string): Promise<void> => {
    await startAndStop("production", url);
    await disown(url);
  };
  const open = openCore(readConfig(common(database.url)), () => undefined, makeKeys);
  await expect(open).rejects.toThrow(WrongMasterKey);
  expect(await ownerOf(database.url)).toEqual([{ environment: null }]);
  await database.drop();
});

test("with a wrong master key the schema is not migrated: there would be no way back", async () => {
  const database = await scratchDatabase();
  await startAndStop("production", database.url);
  await disown(database.url);
  const wrong = readConfig({
    ...common(database.url),
    ...environments.production,
    FLORIN_MASTER_KEY: randomBytes(32).toString("base64"),
  });
  const migrated: string[] = [];
  const print = (line: string) => void migrated.push(line);
  const open = openCore(wrong, print, async (url) => print(url));
  await expect(open).rejects.toThrow(WrongMasterKey);
  const command = migrateCommand.run({ config: wrong, args: [], print });
  await expect(command).rejects.toThrow(WrongMasterKey);
  expect(migrated).toEqual([]);
  await database.drop();
});

test("a database that was made with another master key is named as the reason", async () => {
  const database = await scratchDatabase();
  await startAndStop("production", database.url);
  const setup = await readSetup({
    ...common(database.url),
    ...environments.production,
    FLORIN_MASTER_KEY: randomBytes(32).toString("base64"),
  });
  const start = startService(setup, createLog({ level: "silent" }));
  const error: unknown = await start.catch((reason: unknown) => reason);
  expect(explainStartError(error)).toBe(
    "Florin did not start. FLORIN_MASTER_KEY is not what the keys in this database were wrapped with.",
  );
  await database.drop();
});
