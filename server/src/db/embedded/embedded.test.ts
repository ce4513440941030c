import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import pg from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { type EmbeddedDatabase, startEmbedded, stopAbandoned } from "./embedded.ts";
import { identify } from "./process.ts";

const here = dirname(fileURLToPath(import.meta.url));
const isRoot = process.getuid?.() === 0;

// These tests kill processes, not machines, so they need not wait for the disk.
const settings = { fsync: "off", shared_buffers: "16MB" };

/** Stands for a Florin process: starts the database, says so, and stops it when its input ends. */
const OWNER = `
  import { startEmbedded } from "./embedded.ts";
  const settings = ${JSON.stringify(settings)};
  const db = await startEmbedded({ dataDir: process.argv[2] ?? "", log: () => undefined, settings });
  console.log(JSON.stringify({ url: db.url, reused: db.reused }));
  process.stdin.on("end", () => db.stop().then(() => process.exit(0))).resume();
`;

// Within the project, so that the bundle finds the packages.
const ownerScript = join(here, `../../../dist/.embedded-test-${process.pid}.mjs`);
let scratch = "";
let dataDir = "";
let children: ChildProcess[] = [];
let databases: EmbeddedDatabase[] = [];

beforeAll(async () => {
  scratch = await mkdtemp(join(tmpdir(), "florin-embedded-"));
  const database = await startEmbedded({ dataDir: seed(), log: () => undefined, settings });
  await query(database.url, "create table kept as select 42 as n");
  await database.stop();
  await build({
    stdin: { contents: OWNER, resolveDir: here, loader: "ts" },
    outfile: ownerScript,
    bundle: true,
    format: "esm",
    platform: "node",
    packages: "external",
  });
});

beforeEach(async () => {
  dataDir = await mkdtemp(join(scratch, "d-"));
});

afterEach(async () => {
  for (const child of children) child.kill("SIGKILL");
  for (const database of databases) await database.stop();
  await stopAbandoned(dataDir);
  children = [];
  databases = [];
});

afterAll(async () => {
  // Asynchronously, the many files of so many clusters take ten times as long.
  rmSync(scratch, { recursive: true, force: true });
  await rm(ownerScript, { force: true });
});

const seed = () => join(scratch, "seed");

/** A cluster takes a second to make, so most tests work on a copy. */
async function copySeed(): Promise<void> {
  await mkdir(dataDir, { recursive: true });
  execFileSync("cp", ["-pR", `${seed()}/.`, dataDir]);
}

async function start(options: { settings?: Record<string, string> } = {}) {
  const log = () => undefined;
  const database = await startEmbedded({ dataDir, log, settings, ...options });
  databases.push(database);
  return database;
}

async function startOwner(options: { detached?: boolean } = {}) {
  const child = spawn(process.execPath, [ownerScript, dataDir], {
    stdio: ["pipe", "pipe", "inherit"],
    ...options,
  });
  children.push(child);
  const [line] = await once(createInterface({ input: child.stdout }), "line");
  const { url, reused } = JSON.parse(String(line)) as { url: string; reused: boolean };
  return { child, url, reused };
}

async function end(child: ChildProcess, by: () => void): Promise<void> {
  const exit = once(child, "exit");
  by();
  await exit;
}

async function query(connectionString: string, sql: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

async function serverPid(): Promise<number> {
  const pidFile = join(dataDir, "postgres", "postmaster.pid");
  return Number.parseInt(await readFile(pidFile, "utf8"), 10);
}

const kept = (url: string) => query(url, "select n from kept");

test("a first start makes a cluster, a restart keeps what is in it", async () => {
  const lines: string[] = [];
  const options = { dataDir, log: (line: string) => lines.push(line), settings };
  const first = await startEmbedded(options);
  await query(first.url, "create table kept as select 7 as n");
  const pid = await serverPid();
  await first.stop();

  expect(first).toMatchObject({ reused: false, version: expect.stringMatching(/^18\./) });
  expect(lines).toEqual(["Creating the embedded PostgreSQL database."]);
  expect(identify(pid)).toBeUndefined();
  expect((await readdir(dataDir)).sort()).toEqual([
    "postgres",
    "postgres.log",
    "postgres.password",
  ]);
  expect((await stat(join(dataDir, "postgres.password"))).mode & 0o777).toBe(0o600);

  const second = await start();
  expect(await kept(second.url)).toEqual([{ n: 7 }]);
  expect(second).toMatchObject({ reused: false, url: first.url });
});

test("what a crashed initialization left is cleared away", async () => {
  const leftover = join(dataDir, "postgres.init-1");
  await mkdir(join(leftover, "cluster"), { recursive: true });
  await writeFile(join(leftover, "cluster", "PG_VERSION"), "18\n");
  await start();
  expect(await readdir(dataDir)).not.toContain("postgres.init-1");
});

test("the server is durable by default, and settings replace ours", async () => {
  await copySeed();
  const database = await start({ settings: { work_mem: "5MB" } });
  const names = ["fsync", "synchronous_commit", "full_page_writes", "listen_addresses", "work_mem"];
  const values = names.map((name) => `current_setting('${name}') as ${name}`);
  expect(await query(database.url, `select ${values}`)).toEqual([
    {
      fsync: "on",
      synchronous_commit: "on",
      full_page_writes: "on",
      listen_addresses: "",
      work_mem: "5MB",
    },
  ]);
});

test("a server whose owner was killed is adopted, and stopped by its new owner", async () => {
  await copySeed();
  const { child, url } = await startOwner();
  const pid = await serverPid();
  await end(child, () => child.kill("SIGKILL"));

  const adopted = await start();
  expect(adopted).toMatchObject({ reused: true, url });
  expect(await serverPid()).toBe(pid);
  expect(await kept(adopted.url)).toEqual([{ n: 42 }]);
  await adopted.stop();
  expect(identify(pid)).toBeUndefined();
});

test("a signal to the owner's process group does not reach the server", async () => {
  await copySeed();
  const { child, url } = await startOwner({ detached: true });
  await end(child, () => process.kill(-(child.pid ?? Number.NaN), "SIGTERM"));
  expect(await kept(url)).toEqual([{ n: 42 }]);
});

test("two processes that start at once share one server, which the last to leave stops", async () => {
  await copySeed();
  const owners = await Promise.all([startOwner(), startOwner()]);
  expect(owners.map(({ reused }) => reused).sort()).toEqual([false, true]);
  const pid = await serverPid();
  const [starter, other] = owners.sort((a, b) => Number(a.reused) - Number(b.reused));

  await end(starter.child, () => starter.child.stdin.end());
  expect(await kept(other.url)).toEqual([{ n: 42 }]);
  await end(other.child, () => other.child.stdin.end());
  expect(identify(pid)).toBeUndefined();
});

test("a process that only joined does not stop the server", async () => {
  await copySeed();
  const { url } = await startOwner();
  const guest = await start();
  expect(guest.reused).toBe(true);
  await guest.stop();
  expect(await kept(url)).toEqual([{ n: 42 }]);
  expect(await stopAbandoned(dataDir)).toBe(false);
});

test("a pid file whose process is dead does not prevent a start", async () => {
  await copySeed();
  const { child, url } = await startOwner();
  const clients = await Promise.all(
    [1, 2, 3].map(async () => {
      const client = new pg.Client(url);
      client.on("error", () => undefined);
      await client.connect();
      client.query("select pg_sleep(60)").catch(() => undefined);
      return client;
    }),
  );
  // The owner first: it would start its server again.
  await end(child, () => child.kill("SIGKILL"));
  process.kill(await serverPid(), "SIGKILL");
  const restarted = await start();
  expect(restarted.reused).toBe(false);
  expect(await kept(restarted.url)).toEqual([{ n: 42 }]);
  for (const client of clients) await client.end();
});

test("a pid file whose pid now belongs to another program does not prevent a start", async () => {
  await copySeed();
  const first = await start();
  const pidFile = join(dataDir, "postgres", "postmaster.pid");
  const text = await readFile(pidFile, "utf8");
  // PostgreSQL heeds only pids of its own user.
  const { uid, gid } = await stat(pidFile);
  await first.stop();
  const stranger = spawn("sleep", ["60"], isRoot ? { uid, gid, cwd: "/" } : {});
  await once(stranger, "spawn");
  children.push(stranger);
  await writeFile(pidFile, text.replace(/^\d+/, String(stranger.pid)), { mode: 0o600 });

  const second = await start();
  expect(second.reused).toBe(false);
  expect(await kept(second.url)).toEqual([{ n: 42 }]);
  expect(identify(stranger.pid ?? 0)).toBeDefined();
});

test("stopping does not wait for clients and loses nothing that was committed", async () => {
  await copySeed();
  const database = await start();
  const client = new pg.Client(database.url);
  client.on("error", () => undefined);
  const lost = new Promise((resolve) => client.once("end", resolve));
  await client.connect();
  await client.query("insert into kept values (43)");
  await client.query("begin; insert into kept values (44)");
  await database.stop();
  await lost;
  expect(await kept((await start()).url)).toEqual([{ n: 42 }, { n: 43 }]);
});

test("a path too long for a socket address gets its socket elsewhere", async () => {
  dataDir = join(dataDir, "a-rather-long-name-".repeat(5));
  await copySeed();
  const { url, stop } = await start();
  const socketDirectory = decodeURIComponent(new URL(url).hostname);
  expect(socketDirectory.startsWith(dataDir)).toBe(false);
  expect(await kept(url)).toEqual([{ n: 42 }]);
  await stop();
  await expect(stat(socketDirectory)).rejects.toThrow("ENOENT");
});

test.runIf(isRoot)("root may keep the data where only root can enter", async () => {
  await chmod(dataDir, 0o700);
  dataDir = join(dataDir, "inner");
  await copySeed();
  expect(await kept((await start()).url)).toEqual([{ n: 42 }]);
});

test.runIf(isRoot)("a cluster that root restored goes back to its unprivileged owner", async () => {
  await copySeed();
  execFileSync("chown", ["-R", "0:0", dataDir]);
  expect(await kept((await start()).url)).toEqual([{ n: 42 }]);
});

test.each<[string, () => Promise<void>, RegExp]>([
  [
    "a cluster of another major version",
    () => writeFile(join(dataDir, "postgres", "PG_VERSION"), "17\n"),
    /was made by PostgreSQL 17, but this Florin brings PostgreSQL 18/,
  ],
  [
    "a directory that is no cluster",
    () => rm(join(dataDir, "postgres", "PG_VERSION")),
    /exists but is not a PostgreSQL cluster/,
  ],
  [
    "a file in the cluster's place",
    async () => {
      await rm(join(dataDir, "postgres"), { recursive: true });
      await writeFile(join(dataDir, "postgres"), "");
    },
    /exists but is not a PostgreSQL cluster/,
  ],
  [
    "a cluster without its password",
    () => rm(join(dataDir, "postgres.password")),
    /the password of the cluster beside it, is missing/,
  ],
  [
    "a password that is not the cluster's",
    () => writeFile(join(dataDir, "postgres.password"), "wrong\n"),
    /refuses the password/,
  ],
  [
    "a broken cluster",
    () => rm(join(dataDir, "postgres", "global"), { recursive: true }),
    /did not start, PostgreSQL said: .*global.*postgres\.log/,
  ],
])("%s is refused in one line", async (_name, damage, message) => {
  await copySeed();
  await damage();
  const refusal = await start().catch((error: unknown) => error);
  expect(refusal).toMatchObject({ name: "EmbeddedDatabaseError" });
  expect(String(refusal)).toMatch(message);
  expect(String(refusal)).not.toContain("\n");
  expect(await stopAbandoned(dataDir)).toBe(true);
});

test("a data directory that cannot be made is refused in one line", async () => {
  await writeFile(join(dataDir, "file"), "");
  const options = { dataDir: join(dataDir, "file", "inner"), log: () => undefined };
  await expect(startEmbedded(options)).rejects.toThrow(/^The data directory .* cannot be created/);
});
