import { randomBytes, randomUUID } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { runCommand } from "./harness/command.ts";
import { execute } from "./harness/empty-database.ts";
import { cleanUp, florin, newDataDir } from "./harness/process.ts";
import { scratchDatabase } from "./harness/scratch.ts";

/** All that an operator's command needs in production. */
let environment: Record<string, string>;
let database: Awaited<ReturnType<typeof scratchDatabase>>;
let organizationId: string;
beforeAll(async () => {
  database = await scratchDatabase();
  environment = {
    FLORIN_ENV: "production",
    FLORIN_DATABASE_URL: database.url,
    FLORIN_MASTER_KEY: randomBytes(32).toString("base64"),
  };
  const { text } = await runCommand(["org", "create", "Real"], environment);
  ({ organizationId } = JSON.parse(text));
});
afterAll(async () => {
  await cleanUp();
  await database.drop();
});

test("the program audits with the database and the master key, and nothing else", async () => {
  expect(await florin(["audit"], environment)).toMatchObject({ code: 0, stderr: "" });
});

test("every command but one needs no more", async () => {
  const file = join(newDataDir(), "clearing.txt");
  writeFileSync(file, "");
  for (const args of [
    ["org", "list"],
    ["org", "customer-managed", organizationId, "off"],
    ["wallet", "credit", organizationId, "USD", "1", "--reference", "R1"],
    ["wallet", "debit", organizationId, "USD", "1", "--reference", "R2"],
    ["credentials", "rotate", organizationId],
    ["keys", "rotate"],
    ["clearing", "import", file],
    ["migrate"],
  ]) {
    expect((await runCommand(args, environment)).code).toBe(0);
  }
});

test("an invitation leads to the dashboard, whose address must be known", async () => {
  const invite = ["people", "invite", organizationId, "ada@example.com"];
  await expect(runCommand(invite, environment)).rejects.toThrow(/FLORIN_DASHBOARD_URL/);
  const known = { ...environment, FLORIN_DASHBOARD_URL: "https://cards.example.com" };
  const { text } = await runCommand(invite, known);
  expect(text).toMatch(/^https:\/\/cards\.example\.com\//);
});

test("a clearing import reads the programmes, and says when it cannot", async () => {
  const file = join(newDataDir(), "clearing.txt");
  writeFileSync(file, "");
  await expect(
    runCommand(["clearing", "import", file], {
      ...environment,
      FLORIN_PROGRAMMES_FILE: "/nowhere",
    }),
  ).rejects.toThrow("FLORIN_PROGRAMMES_FILE: /nowhere cannot be read (ENOENT)");
});

test("who may only read can audit, as on a standby", async () => {
  const url = new URL(database.url);
  url.searchParams.set("options", "-c default_transaction_read_only=on");
  const readOnly = { ...environment, FLORIN_DATABASE_URL: url.href };
  for (const args of [["audit"], ["org", "list"]]) {
    expect(await runCommand(args, readOnly)).toMatchObject({ code: 0 });
  }
  const refused = await florin(["org", "create", "Late"], readOnly);
  expect(refused).toEqual({
    code: 2,
    stdout: "",
    stderr: expect.stringMatching(
      /^The command failed\. The database cannot be used: .*read-only transaction\n$/,
    ),
  });
});

test("a role needs to be allowed to read, and no more; one that is not is told in one line", async () => {
  const role = `auditor_${randomUUID().replaceAll("-", "")}`;
  await execute(database.url, `create role ${role} login password 'auditor'`);
  const url = new URL(database.url);
  [url.username, url.password] = [role, "auditor"];
  const asAuditor = { ...environment, FLORIN_DATABASE_URL: url.href };
  try {
    expect(await florin(["audit"], asAuditor)).toEqual({
      code: 2,
      stdout: "",
      stderr: expect.stringMatching(
        /^The command failed\. The database's role lacks a privilege: permission denied for .*\n$/,
      ),
    });
    await execute(database.url, `grant select on all tables in schema public to ${role}`);
    expect(await florin(["audit"], asAuditor)).toMatchObject({ code: 0, stderr: "" });
  } finally {
    await execute(database.url, `drop owned by ${role}`);
    await execute(database.url, `drop role ${role}`);
  }
});
