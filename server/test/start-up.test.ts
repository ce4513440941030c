import { randomBytes, randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { readConfig } from "../src/foundation/config/config.ts";
import { emptyDatabase, execute } from "./harness/empty-database.ts";
import { until } from "./harness/eventually.ts";
import { TransactionPooler } from "./harness/pooler.ts";
import {
  cleanUp,
  launch,
  newDataDir,
  type Program,
  projectRoot,
  quietEnvironment,
} from "./harness/process.ts";
import { PUBLIC_API_URL, PUBLIC_DASHBOARD_URL, PUBLIC_IDENTITY_URL } from "./harness/production.ts";
import { absentSumsub } from "./harness/sumsub.ts";

let database: Awaited<ReturnType<typeof emptyDatabase>>;
beforeAll(async () => {
  database = await emptyDatabase();
});
afterEach(cleanUp);
afterAll(() => database.drop());

const masterKey = randomBytes(32).toString("base64");

const production = (): Record<string, string> => ({
  ...quietEnvironment(newDataDir()),
  FLORIN_ENV: "production",
  FLORIN_DATABASE_URL: database.url,
  FLORIN_MASTER_KEY: masterKey,
  FLORIN_API_URL: PUBLIC_API_URL,
  FLORIN_IDENTITY_URL: PUBLIC_IDENTITY_URL,
  FLORIN_DASHBOARD_URL: PUBLIC_DASHBOARD_URL,
  FLORIN_TRUST_PROXY: "127.0.0.1",
  FLORIN_LOG_LEVEL: "info",
  ...absentSumsub,
});

async function expectEmpty(): Promise<void> {
  expect(
    await execute(database.url, "select from pg_tables where schemaname = 'public'"),
  ).toHaveLength(0);
}

async function ended(program: Program) {
  const { code } = await program.exited;
  return { code, stdout: program.stdout, stderr: program.stderr };
}

describe("arguments", () => {
  test.each([
    [["--role", "worker"], "--role"],
    [["frobnicate"], "frobnicate"],
    [["--database-url=postgres://florin:secret@db/florin"], "--database-url"],
  ])("%j is refused in one line, and nothing is started", async (args, name) => {
    const { code, stdout, stderr } = await ended(launch(production(), args));
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toMatch(/^Florin did not start\. .*takes no arguments.*\n$/);
    expect(stderr).toContain(name);
    expect(stderr).not.toContain("secret");
    await expectEmpty();
  });

  test.each(["--help", "-h"])("%s says how it is configured", async (argument) => {
    const { code, stdout, stderr } = await ended(launch(production(), [argument]));
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toContain("docs/configuration.md");
    await expectEmpty();
  });
});

test.each(["FLORIN_PROGRAMMES_FILE", "FLORIN_NETWORK_PEERS_FILE", "FLORIN_TLS_CERT_FILE"])(
  "a %s that cannot be read is told before the database is touched",
  async (name) => {
    const { code, stdout, stderr } = await ended(launch({ ...production(), [name]: "/nowhere" }));
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toContain(`${name}: /nowhere cannot be read (ENOENT)`);
    expect(stderr).not.toMatch(/^\s+at /m);
    await expectEmpty();
  },
);

test.each([
  ["does not speak TLS", (url: URL) => url.searchParams.set("sslmode", "verify-full")],
  ["has a name that nobody knows", (url: URL) => Object.assign(url, { hostname: "db.invalid" })],
])("a database that %s is told in one line", async (_what, change) => {
  const url = new URL(database.url);
  change(url);
  const { code, stderr } = await ended(launch({ ...production(), FLORIN_DATABASE_URL: url.href }));
  expect(code).toBe(1);
  expect(stderr).toMatch(/^Florin did not start\. The database cannot be used: .+\n$/);
});

test("a role that may not create tables is told which privilege it lacks", async () => {
  const role = `guest_${randomUUID().replaceAll("-", "")}`;
  await execute(database.url, `create role ${role} login password 'guest'`);
  const url = new URL(database.url);
  url.username = role;
  url.password = "guest";
  try {
    const { code, stderr } = await ended(
      launch({ ...production(), FLORIN_DATABASE_URL: url.href }),
    );
    expect(code).toBe(1);
    expect(stderr).toBe(
      `Florin did not start. The role ${role} may not create tables in the database ${url.pathname.slice(1)}: ` +
        `make it the owner, or \`grant usage, create on schema public to ${role}\`.\n`,
    );
  } finally {
    await execute(database.url, `drop role ${role}`);
  }
});

describe("a pooler is refused before the database is touched", () => {
  async function refusalOf(setting: string, databaseBehind: string): Promise<string> {
    const pooler = await TransactionPooler.before(databaseBehind);
    try {
      const { code, stderr } = await ended(launch({ ...production(), [setting]: pooler.url }));
      expect(code).toBe(1);
      await expectEmpty();
      return stderr;
    } finally {
      await pooler.close();
    }
  }

  test("in transaction mode, where the database itself is named", async () => {
    expect(await refusalOf("FLORIN_DATABASE_URL", database.url)).toMatch(
      /^Florin did not start\. .* a pooler in transaction mode.*: connect directly or in session mode, .*\.\n$/,
    );
  });

  test("where the database writes times in a style of its own", async () => {
    const name = new URL(database.url).pathname.slice(1);
    await execute(database.url, `alter database ${name} set datestyle = 'German, DMY'`);
    try {
      expect(await refusalOf("FLORIN_DATABASE_POOLER_URL", database.url)).toBe(
        "Florin did not start. Behind FLORIN_DATABASE_POOLER_URL datestyle is 'German, DMY': " +
          "set it to 'ISO' for the role and the database, and have the pooler connect anew.\n",
      );
    } finally {
      await execute(database.url, `alter database ${name} reset datestyle`);
    }
  });

  test("before another database", async () => {
    const other = await emptyDatabase();
    try {
      expect(await refusalOf("FLORIN_DATABASE_POOLER_URL", other.url)).toBe(
        "Florin did not start. FLORIN_DATABASE_POOLER_URL leads to another database than FLORIN_DATABASE_URL, " +
          "or to a standby of it.\n",
      );
    } finally {
      await other.drop();
    }
  });
});

test("production writes nothing but lines of JSON, and warns of the built-in programmes", async () => {
  const program = launch(production());
  await until("it runs", () => {
    if (program.hasExited) throw new Error(program.stderr);
    return program.stdout.includes("Florin is running");
  });
  program.kill("SIGTERM");
  await program.exited;
  const lines = program.stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(lines).toContainEqual(
    expect.objectContaining({
      msg: "Florin is running",
      env: "production",
      api: PUBLIC_API_URL,
      identity: PUBLIC_IDENTITY_URL,
      dashboard: PUBLIC_DASHBOARD_URL,
    }),
  );
  expect(lines).toContainEqual(
    expect.objectContaining({
      level: 40,
      msg: expect.stringContaining("FLORIN_PROGRAMMES_FILE"),
      bins: expect.arrayContaining(["411111"]),
    }),
  );
});

test("what the guide sets for production is all that it needs", () => {
  const guide = readFileSync(join(projectRoot, "docs", "guides", "operating.md"), "utf8");
  const block = /```text\n(FLORIN_ENV=production\n[^`]*)```/.exec(guide)?.[1] ?? "";
  const settings = block
    .trim()
    .split("\n")
    .map((line) => line.split(/=(.*)/s).slice(0, 2) as [string, string]);
  const environment = Object.fromEntries(settings);
  expect(environment.FLORIN_MASTER_KEY).toContain("<the key>");
  const config = readConfig({
    ...environment,
    FLORIN_MASTER_KEY: environment.FLORIN_MASTER_KEY?.replace("<the key>", masterKey),
  });
  expect(config.env).toBe("production");
});
