import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, expect, test } from "vitest";
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
  await expect(migrate(database.url)).rejects.toThrow(/edited.*0001_\w+\.sql/);
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
