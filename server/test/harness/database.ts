import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import type { TestProject } from "vitest/node";
import { startEmbedded, stopAbandoned } from "../../src/db/embedded/embedded.ts";
import { migrate } from "../../src/db/migrate.ts";

const DATA_DIR_PREFIX = "florin-test-";

declare module "vitest" {
  interface ProvidedContext {
    testServer: TestServer;
  }
}

interface TestServer {
  /** Of a database on the server from which others may be created and dropped. */
  url: string;
  /** The name of a migrated database to copy. */
  template: string;
}

let teardownSteps: (() => Promise<unknown>)[] = [];

/** One PostgreSQL for the whole run, with a migrated template that every test copies for itself. */
export async function setup(project: TestProject): Promise<void> {
  const url = process.env.FLORIN_TEST_DATABASE_URL ?? (await startTestServer());
  // A server of one's own may serve several runs at once.
  const template = `florin_template_${process.pid}`;
  try {
    await makeTemplate(url, template);
  } catch (error) {
    await teardown();
    throw error;
  }
  project.provide("testServer", { url, template });
}

export async function teardown(): Promise<void> {
  const steps = teardownSteps.reverse();
  teardownSteps = [];
  for (const step of steps) await step();
}

async function startTestServer(): Promise<string> {
  await removeAbandoned();
  const dataDir = await mkdtemp(join(tmpdir(), `${DATA_DIR_PREFIX}${process.pid}-`));
  teardownSteps.push(() => rm(dataDir, { recursive: true, force: true }));
  // The data does not outlive the run, so nothing waits for the disk.
  const settings = { fsync: "off", synchronous_commit: "off", full_page_writes: "off" };
  const server = await startEmbedded({ dataDir, log: () => undefined, settings });
  teardownSteps.push(() => server.stop());
  return server.url;
}

async function makeTemplate(url: string, template: string): Promise<void> {
  await execute(url, `drop database if exists ${template}`);
  await execute(url, `create database ${template}`);
  teardownSteps.push(async () => {
    await execute(url, `alter database ${template} is_template false`);
    await execute(url, `drop database ${template} with (force)`);
  });
  const address = new URL(url);
  address.pathname = `/${template}`;
  await migrate(address.href);
  // A template that nobody can connect to can always be copied.
  await execute(url, `alter database ${template} is_template true allow_connections false`);
}

async function execute(connectionString: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}

/** A run that was killed leaves its server behind; the next run clears it away. */
async function removeAbandoned(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    const pid = new RegExp(`^${DATA_DIR_PREFIX}(\\d+)-`).exec(name)?.[1];
    if (pid === undefined || isAlive(Number(pid))) continue;
    const dataDir = join(tmpdir(), name);
    // Another user's are not ours to remove.
    const stopped = await stopAbandoned(dataDir).catch(() => false);
    if (stopped) await rm(dataDir, { recursive: true, force: true });
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
