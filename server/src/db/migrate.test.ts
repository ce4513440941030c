import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";
import { afterEach, beforeEach, expect, test } from "vitest";
import { becomes } from "../../test/harness/answers.ts";
import { emptyDatabase, execute } from "../../test/harness/empty-database.ts";
import { TransactionPooler } from "../../test/harness/pooler.ts";
import { expectMigrated, migrate, migrateIfEmpty } from "./migrate.ts";

let database: Awaited<ReturnType<typeof emptyDatabase>>;
beforeEach(async () => {
  database = await emptyDatabase();
});
afterEach(() => database.drop());

const rows = (sql: string): Promise<unknown[]> => execute(database.url, sql);

const applied = () => rows("select name from schema_migrations order by name");

test("an empty database gets the whole schema, and a second run finds nothing to do", async () => {
  const lines: string[] = [];
  await migrate(database.url, (line) => lines.push(line));
  expect(lines[0]).toMatch(/0001_\w+\.sql/);
  const before = await applied();
  expect(before).toHaveLength(lines.length);

  await migrate(database.url, (line) => lines.push(line));
  expect(lines).toHaveLength(before.length);
  expect(await applied()).toEqual(before);
});

test("processes that start at once migrate once", async () => {
  const lines: string[] = [];
  const say = (line: string) => lines.push(line);
  await Promise.all(Array.from({ length: 5 }, () => migrate(database.url, say)));
  expect(lines).toHaveLength((await applied()).length);
  expect(await rows("select from shared_state")).toHaveLength(1);
});

test("whoever comes while another migrates waits for the whole schema", async () => {
  const started: Promise<void>[] = [];
  await migrate(database.url, (line) => {
    if (line.includes("0002")) {
      started.push(migrateIfEmpty(database.url), expectMigrated(database.url));
    }
  });
  expect(started).toHaveLength(2);
  await Promise.all(started);
});

test("a migration that fails is named and leaves nothing of itself", async () => {
  await execute(database.url, "create table audit_log (in_the_way text)");
  await expect(migrate(database.url)).rejects.toThrow(/0001_\w+\.sql failed.*audit_log/);
  expect(await applied()).toEqual([]);
  expect(await rows("select to_regclass('shared_state') as found")).toEqual([{ found: null }]);

  await execute(database.url, "drop table audit_log");
  await migrate(database.url);
  expect(await rows("select from shared_state")).toHaveLength(1);
});

test("a migration that was edited after it was applied is refused by name", async () => {
  await migrate(database.url);
  await execute(
    database.url,
    "update schema_migrations set checksum = 'another' where name ~ '0001'",
  );
  await expect(migrate(database.url)).rejects.toThrow(
    /differ.*0001_\w+\.sql\. Run the version that made it, or begin with a new database/,
  );
});

test("a database of a newer Florin is refused and left alone", async () => {
  await migrate(database.url);
  await execute(database.url, "insert into schema_migrations values ('9999_future.sql', 'x')");
  await expect(migrate(database.url)).rejects.toThrow(/newer Florin.*9999_future\.sql/);
});

test("a refusal does not keep the lock from the next one", async () => {
  await migrate(database.url);
  await execute(database.url, "insert into schema_migrations values ('9999_future.sql', 'x')");
  await expect(migrate(database.url)).rejects.toThrow();
  await execute(database.url, "delete from schema_migrations where name = '9999_future.sql'");
  await migrate(database.url);
});

test("the lock does not stay with a connection that a pooler keeps", async () => {
  const pooler = await TransactionPooler.before(database.url);
  try {
    await migrate(pooler.url);
    expect(
      await rows(`select from pg_locks where locktype = 'advisory'
                    and database = (select oid from pg_database where datname = current_database())`),
    ).toEqual([]);
  } finally {
    await pooler.close();
  }
});

/** For the connections that are opened from now on. */
async function limit(settings: Record<string, string>): Promise<void> {
  const name = new URL(database.url).pathname.slice(1);
  for (const [setting, value] of Object.entries(settings)) {
    await execute(database.url, `alter database ${name} set ${setting} = '${value}'`);
  }
}

/** Whichever of these the server has. */
const LIMITS = `
  select name, current_setting(name) as value from pg_settings
   where name = any('{lock_timeout,statement_timeout,idle_in_transaction_session_timeout,transaction_timeout}')
   order by name`;

const SHORT = "300ms";

const WAITING = "datname = current_database() and wait_event_type = 'Lock'";

const someoneWaits = () =>
  becomes(
    async () => (await rows(`select from pg_stat_activity where ${WAITING}`)).length > 0,
    true,
  );

/** Keeps somebody waiting for longer than a statement may take, once somebody waits. */
async function outlast(): Promise<void> {
  await someoneWaits();
  await pause(500);
}

test("a migration may take longer than the database lets a statement or a transaction take", async () => {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  try {
    const has = new Set((await client.query(LIMITS)).rows.map(({ name }) => name));
    await limit({ statement_timeout: SHORT });
    if (has.has("transaction_timeout")) await limit({ transaction_timeout: SHORT });
    // The first migration creates this table, too, and so waits for what becomes of it.
    await client.query("begin; create table audit_log (in_the_way text)");
    const migrated = migrate(database.url);
    await Promise.race([migrated, outlast()]);
    await client.query("rollback");
    await migrated;
    expect(await rows("select from shared_state")).toHaveLength(1);
  } finally {
    await client.end();
  }
});

test("a session that is ended while it migrates fails the migration, and no more than that", async () => {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  try {
    await client.query("begin; create table audit_log (in_the_way text)");
    const refused = expect(migrate(database.url)).rejects.toThrow(/0001_\w+\.sql failed/);
    await someoneWaits();
    await rows(`select pg_terminate_backend(pid) from pg_stat_activity where ${WAITING}`);
    await refused;
  } finally {
    await client.end();
  }
});

test("whoever waits for another to migrate does so for longer than a statement may take", async () => {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  try {
    await limit({ statement_timeout: SHORT });
    await client.query("select pg_advisory_lock(4000000001)");
    const migrated = migrate(database.url);
    await Promise.race([migrated, outlast()]);
    await client.query("select pg_advisory_unlock(4000000001)");
    await migrated;
  } finally {
    await client.end();
  }
});

test("a session that a pooler keeps has its limits again afterwards, also after a refusal", async () => {
  await limit({
    lock_timeout: "11s",
    statement_timeout: "12s",
    idle_in_transaction_session_timeout: "13s",
  });
  const limits = await rows(LIMITS);
  const pooler = await TransactionPooler.before(database.url);
  try {
    await migrate(pooler.url);
    expect(await execute(pooler.url, LIMITS)).toEqual(limits);
    await execute(database.url, "insert into schema_migrations values ('9999_future.sql', 'x')");
    await expect(migrate(pooler.url)).rejects.toThrow();
    expect(await execute(pooler.url, LIMITS)).toEqual(limits);
  } finally {
    await pooler.close();
  }
});

test("to look at the schema takes no more than reading it", async () => {
  await migrate(database.url);
  const readOnly = new URL(database.url);
  readOnly.searchParams.set("options", "-c default_transaction_read_only=on");
  await expectMigrated(readOnly.href);
  await migrateIfEmpty(readOnly.href);
});

test.each([
  ["may not create in the schema", "revoke create on schema public from public"],
  ["may not even use it", "revoke all on schema public from public"],
])("a role that %s is told what to ask for", async (_what, revoke) => {
  const role = `guest_${randomUUID().replaceAll("-", "")}`;
  await execute(database.url, `create role ${role} login password 'guest'`);
  await execute(database.url, revoke);
  const url = new URL(database.url);
  [url.username, url.password] = [role, "guest"];
  try {
    await expect(migrate(url.href)).rejects.toThrow(
      `grant usage, create on schema public to ${role}`,
    );
    await execute(database.url, `grant usage, create on schema public to ${role}`);
    await migrate(url.href);
  } finally {
    await execute(database.url, `drop owned by ${role} cascade`);
    await execute(database.url, `drop role ${role}`);
  }
});
