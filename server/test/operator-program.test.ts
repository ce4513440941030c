import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { runCommand } from "./harness/command.ts";
import { emptyDatabase, execute } from "./harness/empty-database.ts";
import { cleanUp, florin, newDataDir } from "./harness/process.ts";
import { startTestService, type TestService } from "./harness/service.ts";

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(async () => {
  await cleanUp();
  await service.stop();
});

const elsewhere = () => ({ FLORIN_DATA_DIR: newDataDir() });
const onService = () => ({ ...service.environment });

test.each([[[]], [["help"]], [["--help"]]])("%j shows the usage and ends with 0", async (args) => {
  const { code, stdout, stderr } = await florin(args, elsewhere());
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  for (const name of ["audit", "org create", "credentials rotate", "keys rotate", "migrate"]) {
    expect(stdout).toContain(`  ${name}`);
  }
});

test.each([[["audti"]], [["org"]], [["org", "destroy"]]])(
  "%j is no command: the usage, and 2",
  async (args) => {
    const { code, stdout, stderr } = await florin(args, elsewhere());
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain("Usage: florin <command>");
  },
);

test("a mistake is one line and 2, without a trace of the program's insides", async () => {
  const { code, stdout, stderr } = await florin(["org", "disable", "org_none"], onService());
  expect({ code, stdout, stderr }).toEqual({
    code: 2,
    stdout: "",
    stderr: "There is no organization org_none.\n",
  });
});

test("a bad environment is explained", async () => {
  const { code, stderr } = await florin(["audit"], { ...elsewhere(), FLORIN_API_PORT: "x" });
  expect(code).toBe(2);
  expect(stderr).toContain("FLORIN_API_PORT");
  expect(stderr).not.toMatch(/^\s+at /m);
});

test.each([[["audit"]], [["org", "list"]], [["keys", "rotate"]]])(
  "%j where there is no database says so, and begins none",
  async (args) => {
    const { FLORIN_DATA_DIR: dataDir } = elsewhere();
    // As where a volume is to be mounted.
    mkdirSync(join(dataDir, "postgres"), { recursive: true });
    const { code, stdout, stderr } = await florin(args, { FLORIN_DATA_DIR: dataDir });
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toBe(
      `The command failed. There is no database in ${dataDir}: start Florin there first, or set FLORIN_DATA_DIR to where it runs.\n`,
    );
    expect(readdirSync(join(dataDir, "postgres"))).toEqual([]);
  },
);

test("an empty database is not audited, but the first organization may come before the service", async () => {
  const empty = await emptyDatabase();
  const environment = { ...service.environment, FLORIN_DATABASE_URL: empty.url };
  try {
    const { code, stderr } = await florin(["audit"], environment);
    expect(code).toBe(2);
    expect(stderr).toMatch(/^The command failed\. Florin has not used this database yet: .*\n$/);
    expect((await runCommand(["org", "create", "First"], environment)).code).toBe(0);
    expect((await runCommand(["audit"], environment)).code).toBe(0);
  } finally {
    await empty.drop();
  }
});

test("a database that is not there is one line and 2", async () => {
  const url = new URL(service.databaseUrl);
  url.pathname = "/mistyped";
  const { code, stdout, stderr } = await florin(["org", "create", "Nobody"], {
    ...service.environment,
    FLORIN_DATABASE_URL: url.href,
  });
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(stderr).toBe(
    'The command failed. The database cannot be used: database "mistyped" does not exist\n',
  );
});

test.each([[["audit"]], [["org", "create", "Early"]]])(
  "%j asks for the migrations that are missing, and applies none",
  async (args) => {
    const older = await emptyDatabase();
    const environment = { ...service.environment, FLORIN_DATABASE_URL: older.url };
    const applied = "select * from schema_migrations";
    try {
      await runCommand(["migrate"], environment);
      await execute(
        older.url,
        "delete from schema_migrations where name = (select max(name) from schema_migrations)",
      );
      const before = await execute(older.url, applied);
      await expect(runCommand(args, environment)).rejects.toThrow(
        "The schema of the database is not up to date: run `florin migrate` first.",
      );
      expect(await execute(older.url, applied)).toEqual(before);
    } finally {
      await older.drop();
    }
  },
);

test("audit ends with 0 or 1", async () => {
  expect(await florin(["audit"], onService())).toMatchObject({ code: 0, stderr: "" });
  await execute(service.databaseUrl, "update accounts set held_minor = 1 where kind = 'Wallet'");
  try {
    const { code, stdout } = await florin(["audit"], onService());
    expect(code).toBe(1);
    expect(stdout).toContain("without an open authorization");
  } finally {
    await execute(service.databaseUrl, "update accounts set held_minor = 0 where kind = 'Wallet'");
  }
});

test("migrate refuses a database whose migrations were edited, or are unknown", async () => {
  const edit = (sql: string) => execute(service.databaseUrl, sql);
  const name = "(select min(name) from schema_migrations)";
  await edit(`update schema_migrations set checksum = 'x' || checksum where name = ${name}`);
  try {
    const { code, stderr } = await florin(["migrate"], onService());
    expect(code).not.toBe(0);
    expect(stderr).toMatch(
      /differ.*0001_\S+\.sql\. Run the version that made it, or begin with a new database/,
    );
  } finally {
    await edit(`update schema_migrations set checksum = substr(checksum, 2) where name = ${name}`);
  }
  await edit("insert into schema_migrations values ('9999_future.sql', 'x')");
  try {
    const { code, stderr } = await florin(["migrate"], onService());
    expect(code).not.toBe(0);
    expect(stderr).toMatch(/newer Florin.*9999_future\.sql/);
  } finally {
    await edit("delete from schema_migrations where name = '9999_future.sql'");
  }
  expect((await florin(["migrate"], onService())).code).toBe(0);
});
