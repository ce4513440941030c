import { mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterEach, beforeEach, expect, test } from "vitest";
import { until } from "../../../test/harness/eventually.ts";
import { type EmbeddedDatabase, startEmbedded } from "./embedded.ts";
import { withLock } from "./lock.ts";
import { identify } from "./process.ts";
import { layOut } from "./site.ts";

const settings = { fsync: "off", shared_buffers: "16MB" };

type Told = [level: string, line: string][];

let scratch = "";
let dataDir = "";
let databases: EmbeddedDatabase[] = [];
let told: Told = [];

beforeEach(() => {
  scratch = mkdtempSync(join(tmpdir(), "florin-keeper-"));
  dataDir = join(scratch, "data");
  told = [];
});

afterEach(async () => {
  for (const database of databases) await database.stop();
  databases = [];
  rmSync(scratch, { recursive: true, force: true });
});

async function start(lines = told): Promise<EmbeddedDatabase> {
  const log = (line: string, level = "info") => void lines.push([level, line]);
  const database = await startEmbedded({ dataDir, log, settings });
  databases.push(database);
  return database;
}

async function query(connectionString: string, sql: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString });
  client.on("error", () => undefined);
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

const inCluster = (...path: string[]) => join(dataDir, "postgres", ...path);

const serverPid = (): number =>
  Number.parseInt(readFileSync(inCluster("postmaster.pid"), "utf8"), 10);

function kill(): number {
  const pid = serverPid();
  process.kill(pid, "SIGKILL");
  return pid;
}

const hasTold = (pattern: RegExp) => told.some(([, line]) => pattern.test(line));

const answers = ({ url }: EmbeddedDatabase) =>
  until("the database answers", async () => (await query(url, "select")).length === 1);

const timesStarted = (): number =>
  readFileSync(join(dataDir, "postgres.log"), "utf8").split("starting PostgreSQL").length - 1;

function expectNothingLeft(): void {
  expect(readdirSync(dataDir).sort()).toEqual(["postgres", "postgres.log", "postgres.password"]);
  expect(readdirSync(inCluster())).not.toContain("postmaster.pid");
}

test("a server that was killed is started again where it was, and both are told", async () => {
  const database = await start();
  await query(database.url, "create table kept as select 7 as n");
  told.length = 0;
  const killed = kill();
  await answers(database);
  expect(await query(database.url, "select n from kept")).toEqual([{ n: 7 }]);
  expect(identify(killed)).toBeUndefined();
  await until("both are told", () => hasTold(/runs again/));
  // A slow machine tells of its waiting, too.
  expect(told.filter(([, line]) => / has ended | runs again/.test(line))).toEqual([
    ["error", expect.stringMatching(/^The embedded database has ended .*postgres\.log\)$/)],
    ["info", "The embedded database runs again."],
  ]);
  await database.stop();
  expectNothingLeft();
});

test("what the server said in the end is told", async () => {
  const database = await start();
  process.kill(serverPid(), "SIGINT");
  await until("it runs again", () => hasTold(/runs again/));
  expect(told.join("\n")).toMatch(/has ended.*PostgreSQL said: .*database system is shut down/);
  await answers(database);
});

test("until it can be started it is tried again, and the reason is told", async () => {
  const database = await start();
  renameSync(inCluster("global", "pg_control"), inCluster("pg_control"));
  kill();
  await until("a start has failed", () => hasTold(/did not start.*pg_control.*tried again/));
  expect(hasTold(/runs again/)).toBe(false);
  renameSync(inCluster("pg_control"), inCluster("global", "pg_control"));
  await answers(database);
});

test.each([
  ["at once", () => true],
  ["when it has been missed", () => hasTold(/has ended/)],
  ["while it is started again", (killed: number) => serverPid() !== killed],
])("a stop %s leaves no server behind", async (_when, isTime) => {
  const database = await start();
  const killed = kill();
  await until("it is time to stop", () => isTime(killed));
  await database.stop();
  // The pid file of a server that was killed stays.
  const last = readdirSync(inCluster()).includes("postmaster.pid") ? serverPid() : killed;
  await until("no server is left", () => identify(last) === undefined);
  expect(readdirSync(dataDir)).not.toContain("postgres.json");
  expect(readdirSync(dataDir).filter((name) => name.startsWith("postgres.lock"))).toEqual([]);
});

test("a server that was stopped on purpose is not missed", async () => {
  const toFormerUser: Told = [];
  await (await start(toFormerUser)).stop();
  await start();
  kill();
  await until("its new user has it again", () => hasTold(/runs again/));
  expect(toFormerUser).toEqual([["info", "Creating the embedded PostgreSQL database."]]);
});

test("a stop does not wait for a server that cannot be started", async () => {
  const database = await start();
  renameSync(inCluster("global", "pg_control"), inCluster("pg_control"));
  kill();
  await until("a start has failed", () => hasTold(/did not start/));
  await database.stop();
  expect(readdirSync(dataDir)).not.toContain("postgres.json");
});

test("of several users one starts it, and the last to leave stops it", async () => {
  const users = [await start(), await start(), await start()];
  kill();
  // Who leaves while there is no server is not waited for by those who stay.
  await users[0]?.stop();
  const runsAgain = () => told.filter(([, line]) => line.includes("runs again")).length;
  await until("both who stay have it again", () => runsAgain() === 2);
  expect(timesStarted()).toBe(2);
  for (const user of users.slice(1)) {
    await answers(user);
    await user.stop();
  }
  expectNothingLeft();
});

test("it is not started while somebody else starts or stops it", async () => {
  const database = await start();
  await withLock(
    layOut(dataDir).lock,
    async () => {
      kill();
      await until("it waits", () => hasTold(/^Waiting for process/));
      expect(timesStarted()).toBe(1);
    },
    () => undefined,
  );
  await answers(database);
});

test("a socket elsewhere, for want of a short path, stays where its users know it", async () => {
  dataDir = join(scratch, "a-rather-long-name-".repeat(5));
  const database = await start();
  kill();
  await answers(database);
  kill();
  // Whoever comes meanwhile may be the one who starts it.
  const guest = await start();
  expect(guest.url).toBe(database.url);
});

test("where the database was removed no new one is made", async () => {
  await start();
  const pid = serverPid();
  renameSync(inCluster(), join(scratch, "elsewhere"));
  process.kill(pid, "SIGKILL");
  await until("it is told", () => hasTold(/There is no database in .*tried again/));
  expect(readdirSync(dataDir)).not.toContain("postgres");
});
