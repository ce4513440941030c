import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readConfig } from "../src/foundation/config.ts";
import { CommandError } from "../src/operator/command.ts";
import { findCommand } from "../src/operator/commands.ts";
import { verdict } from "./harness/answers.ts";
import { ApiClient, type SandboxFile } from "./harness/api-client.ts";
import { emptyDatabase, execute } from "./harness/empty-database.ts";
import { until } from "./harness/eventually.ts";
import { cleanUp, florin, newDataDir } from "./harness/process.ts";
import { startTestService, type TestService } from "./harness/service.ts";

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

/** What a command prints and ends with; its refusals are thrown. */
async function run(args: string[], environment = service.environment) {
  const found = findCommand(args);
  if (found === undefined) throw new Error(`There is no command ${args.join(" ")}.`);
  const lines: string[] = [];
  const code = await found.command.run({
    config: readConfig(environment),
    args: found.rest,
    print: (line) => lines.push(line),
  });
  return { code, text: lines.join("\n") };
}

type Created = Pick<SandboxFile, "clientId" | "clientSecret" | "uniqueKey" | "webhookSecret"> & {
  organizationId: string;
};

async function createOrganization(name: string, ...options: string[]): Promise<Created> {
  const { code, text } = await run(["org", "create", name, ...options]);
  expect(code).toBe(0);
  return JSON.parse(text);
}

const clientOf = (credentials: Partial<SandboxFile>): ApiClient =>
  new ApiClient({ ...service.sandbox, ...credentials });

const query = <Row extends object>(sql: string, values: unknown[] = []): Promise<Row[]> =>
  queryAt(service.databaseUrl, sql, values);

async function queryAt<Row extends object>(
  connectionString: string,
  sql: string,
  values: unknown[] = [],
): Promise<Row[]> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    return (await client.query<Row>(sql, values)).rows;
  } finally {
    await client.end();
  }
}

async function advance(hours: number): Promise<void> {
  service.client.forgetToken();
  await service.client.post("/simulator/clock/advance", { seconds: hours * 3600 });
  service.client.forgetToken();
}

describe("org create", () => {
  test("prints credentials that work against the running service, once", async () => {
    const created = await createOrganization("Acme");
    expect(created).toEqual({
      organizationId: expect.stringMatching(/^org_[0-9a-hjkmnp-tv-z]{26}$/),
      clientId: expect.stringMatching(/^cli_[0-9a-hjkmnp-tv-z]{26}$/),
      clientSecret: expect.any(String),
      uniqueKey: expect.any(String),
      webhookSecret: expect.stringMatching(/^whsec_/),
    });
    const answer = await clientOf(created).get("/wallets");
    expect(verdict(answer)).toBe("200/000");
    expect(answer.body.data).toEqual([]);
    expect((await run(["org", "list"])).text).not.toContain(created.clientSecret);
    const [row] = await query<{ whole: string }>(
      "select concat(o::text, c::text) as whole from organizations o join clients c using (organization_id) where organization_id = $1",
      [created.organizationId],
    );
    for (const secret of [created.clientSecret, created.uniqueKey, created.webhookSecret]) {
      expect(row?.whole).not.toContain(Buffer.from(secret).toString("hex"));
    }
  });

  test("gives the scopes that are asked for; CardSecrets is not among them by itself", async () => {
    const scopeOf = async (created: Created): Promise<string> =>
      (await clientOf(created).requestToken()).body.scope;
    expect(await scopeOf(await createOrganization("Plain"))).toBe("CardAPIs");
    expect(
      await scopeOf(await createOrganization("Secret", "--scopes", "CardAPIs,CardSecrets")),
    ).toBe("CardAPIs CardSecrets");
  });

  test.each([
    ["no name", []],
    ["an empty name", ["  "]],
    ["a name beyond bounds", ["x".repeat(101)]],
    ["a name in two words", ["Acme", "Ltd"]],
    ["a scope that does not exist", ["Acme", "--scopes", "CardAPI"]],
    ["an option that does not exist", ["Acme", "--scope", "CardAPIs"]],
  ])("refuses %s, and creates nothing", async (_what, args) => {
    const before = await query("select from organizations");
    await expect(run(["org", "create", ...args])).rejects.toThrow(CommandError);
    expect(await query("select from organizations")).toHaveLength(before.length);
  });
});

describe("org list, enable, disable and customer-managed", () => {
  test("every organization is listed with what it is", async () => {
    const { organizationId } = await createOrganization("Listed & Co");
    const { code, text } = await run(["org", "list"]);
    expect(code).toBe(0);
    const line = text.split("\n").find((each) => each.includes(organizationId));
    expect(line).toMatch(/Enabled\s+off\s+\S+Z\s+Listed & Co$/);
    expect(text.split("\n")[0]).toMatch(
      /^organization\s+status\s+customer-managed\s+created\s+name$/,
    );
    expect(text).toMatch(/Enabled\s+on\s+\S+Z\s+Sandbox/);
  });

  test("programs get the list as JSON", async () => {
    const { organizationId } = await createOrganization("Parsed");
    const { text } = await run(["org", "list", "--json"]);
    expect(JSON.parse(text)).toContainEqual({
      organizationId,
      name: "Parsed",
      status: "Enabled",
      customerManaged: false,
      createdAt: expect.stringMatching(/Z$/),
    });
  });

  test("a disabled organization is shut out of API and token endpoint when the command ends, and let in again", async () => {
    const created = await createOrganization("Doomed");
    const client = clientOf(created);
    expect(verdict(await client.get("/wallets"))).toBe("200/000");

    expect((await run(["org", "disable", created.organizationId])).code).toBe(0);
    expect(verdict(await client.get("/wallets"))).toBe("403/115");
    const refused = await client.requestToken();
    expect([refused.status, refused.body.error]).toEqual([403, "unauthorized_client"]);
    expect((await run(["org", "list"])).text).toMatch(/Disabled\s+off\s+\S+\s+Doomed/);
    expect(verdict(await service.client.get("/wallets"))).toBe("200/000");

    expect((await run(["org", "enable", created.organizationId])).code).toBe(0);
    expect(verdict(await client.get("/wallets"))).toBe("200/000");
  });

  test("customer-managed is switched on and off", async () => {
    const { organizationId } = await createOrganization("Deciding");
    for (const setting of ["on", "off"]) {
      expect((await run(["org", "customer-managed", organizationId, setting])).code).toBe(0);
      const { text } = await run(["org", "list"]);
      expect(text).toMatch(new RegExp(`${organizationId}\\s+Enabled\\s+${setting}\\s`));
    }
  });

  test.each([
    ["org", "disable", "org_none"],
    ["org", "enable", "org_none"],
    ["org", "customer-managed", "org_none", "on"],
    ["credentials", "rotate", "org_none"],
  ])("%s %s says that there is no such organization, and does nothing", async (...args) => {
    const before = await query("select from audit_log");
    await expect(run(args)).rejects.toThrow(/no organization org_none/);
    expect(await query("select from audit_log")).toHaveLength(before.length);
  });

  test.each([
    [["org", "disable"], /<orgId>/],
    [["org", "enable", "a", "b"], /<orgId>/],
    [["org", "customer-managed", "org_x"], /<orgId> <on\|off>/],
    [["org", "customer-managed", "org_x", "yes"], /on or off/],
    [["org", "list", "all"], /no arguments/],
    [["audit", "--jsn"], /--jsn/],
    [["keys", "rotate", "now"], /no arguments/],
    [["migrate", "--force"], /--force/],
    [["credentials", "rotate"], /<orgId>/],
    [["credentials", "rotate", "org_x", "--overlap-hours", "soon"], /--overlap-hours/],
    [["credentials", "rotate", "org_x", "--overlap-hours="], /--overlap-hours/],
    [["credentials", "rotate", "org_x", "--overlap-hours", "100000"], /--overlap-hours/],
    [["credentials", "rotate", "org_x", "--overlap", "1"], /--overlap/],
  ])("a mistake is explained: %j", async (args, expected) => {
    const mistake = run(args);
    await expect(mistake).rejects.toThrow(CommandError);
    await expect(mistake).rejects.toThrow(expected);
  });

  test("every deed is in the audit log", async () => {
    const { organizationId } = await createOrganization("Watched");
    await run(["org", "disable", organizationId]);
    await run(["credentials", "rotate", organizationId]);
    const deeds = await query<{ action: string; actor: string }>(
      "select action, actor from audit_log where organization_id = $1 order by audit_id",
      [organizationId],
    );
    expect(deeds).toEqual([
      { action: "organization.created", actor: "operator" },
      { action: "organization.changed", actor: "operator" },
      { action: "credentials.rotated", actor: "operator" },
    ]);
  });
});

describe("credentials rotate", () => {
  async function rotate(created: Created, ...options: string[]): Promise<Created> {
    const { code, text } = await run(["credentials", "rotate", created.organizationId, ...options]);
    expect(code).toBe(0);
    const [rotated] = JSON.parse(text);
    expect(rotated).toEqual({ clientId: created.clientId, clientSecret: expect.any(String) });
    expect(rotated.clientSecret).not.toBe(created.clientSecret);
    return { ...created, ...rotated };
  }

  /** Whether a secret gets a token, and whether it signs (with a token that is good in itself). */
  async function powersOf(credentials: Created, token: string): Promise<[number, string]> {
    const client = clientOf(credentials);
    const { status } = await client.requestToken();
    const headers = { Authorization: `Bearer ${token}` };
    return [status, verdict(await client.get("/wallets", { headers }))];
  }

  test("with an overlap both secrets work, for tokens and signatures, until it is over", async () => {
    const before = await createOrganization("Careful");
    const after = await rotate(before, "--overlap-hours", "2");
    const tokenOf = async () => (await clientOf(after).requestToken()).body.access_token;
    expect(await powersOf(before, await tokenOf())).toEqual([200, "200/000"]);
    expect(await powersOf(after, await tokenOf())).toEqual([200, "200/000"]);

    await advance(1.9);
    expect(await powersOf(before, await tokenOf())).toEqual([200, "200/000"]);
    await advance(0.2);
    expect(await powersOf(before, await tokenOf())).toEqual([401, "401/137"]);
    expect(await powersOf(after, await tokenOf())).toEqual([200, "200/000"]);
  });

  test("without an overlap the old secret is worth nothing within moments", async () => {
    const before = await createOrganization("Robbed");
    expect((await clientOf(before).requestToken()).status).toBe(200);
    const after = await rotate(before, "--overlap-hours", "0");
    const token = (await clientOf(after).requestToken()).body.access_token;
    expect(await powersOf(before, token)).toEqual([401, "401/137"]);
    expect(await powersOf(after, token)).toEqual([200, "200/000"]);
  });

  test("a second rotation ends the overlap of the first", async () => {
    const first = await createOrganization("Hasty");
    const second = await rotate(first);
    const third = await rotate(second);
    const token = (await clientOf(third).requestToken()).body.access_token;
    expect(await powersOf(first, token)).toEqual([401, "401/137"]);
    expect(await powersOf(second, token)).toEqual([200, "200/000"]);
    expect(await powersOf(third, token)).toEqual([200, "200/000"]);
  });
});

describe("keys rotate", () => {
  const keyIds = async (): Promise<string[]> => {
    const answer = await fetch(`${service.sandbox.identityUrl}/.well-known/jwks.json`);
    const { keys } = (await answer.json()) as { keys: { kid: string }[] };
    return keys.map(({ kid }) => kid);
  };
  const kidOf = (token: string): string =>
    JSON.parse(Buffer.from(token.split(".")[0] ?? "", "base64url").toString()).kid;

  test("live tokens and sealed secrets stay good, new ones use the new keys, nothing sealed is left behind", async () => {
    const created = await createOrganization("Sealed");
    const client = clientOf(created);
    const live = await client.token();
    const { code, text } = await run(["keys", "rotate"]);
    expect(code).toBe(0);
    const newKey = /signed by (\S+)\./.exec(text)?.[1];
    const version = Number(/Data key (\d+)/.exec(text)?.[1]);

    await until("new tokens are signed by the new key", async () => {
      const { body } = await client.requestToken();
      return kidOf(body.access_token) === newKey;
    });
    expect(await keyIds()).toEqual(expect.arrayContaining([kidOf(live), newKey]));
    expect(verdict(await client.get("/wallets"))).toBe("200/000");
    client.forgetToken();
    expect(verdict(await client.get("/wallets"))).toBe("200/000");

    const sealed = await query<{ version: number }>(`
      select distinct ('x' || encode(substring(value from 2 for 4), 'hex'))::bit(32)::int as version
        from (select secret_sealed as value from clients
              union all select unique_key_sealed from clients
              union all select previous_secret_sealed from clients
              union all select webhook_secret_sealed from organizations
              union all select sandbox_seed_sealed from organizations
              union all select private_key_sealed from signing_keys) all_values
       where value is not null`);
    expect(sealed).toEqual([{ version }]);
  });

  test("a process that starts later can read all that was sealed", async () => {
    await run(["keys", "rotate"]);
    const later = await startTestService({
      FLORIN_DATABASE_URL: service.databaseUrl,
      FLORIN_API_URL: service.sandbox.apiUrl,
      FLORIN_IDENTITY_URL: service.sandbox.identityUrl,
      FLORIN_DASHBOARD_URL: service.sandbox.dashboardUrl,
    });
    try {
      expect(later.sandbox).toEqual(service.sandbox);
    } finally {
      await later.stop();
    }
  });

  test("a key goes when its last token has expired", async () => {
    const before = await keyIds();
    await advance(24);
    await run(["keys", "rotate"]);
    await advance(24);
    await run(["keys", "rotate"]);
    await until("the old keys are gone", async () => {
      const now = await keyIds();
      return now.length === 2 && !before.some((kid) => now.includes(kid));
    });
    expect(verdict(await service.client.get("/wallets"))).toBe("200/000");
  });
});

describe("audit", () => {
  test("proves the books of a running service, for people and for programs", async () => {
    const people = await run(["audit"]);
    expect(people.code).toBe(0);
    expect(people.text).toMatch(/USD\s+1\s+100000\.00\s+100000\.00\s+100000\.00\s+0\.00/);
    const programs = await run(["audit", "--json"]);
    expect(programs.code).toBe(0);
    expect(JSON.parse(programs.text)).toMatchObject({
      problems: [],
      currencies: [{ currency: "USD", postings: "1", debitsMinor: "10000000" }],
    });
  });

  test("ends with 1 and says what does not hold", async () => {
    await query("update accounts set posted_minor = posted_minor + 1 where kind = 'Wallet'");
    try {
      const people = await run(["audit"]);
      expect(people.code).toBe(1);
      expect(people.text).toMatch(/do NOT hold:\n {2}- Account wal_\w+ .* says 10000001/);
      const programs = await run(["audit", "--json"]);
      expect(programs.code).toBe(1);
      expect(JSON.parse(programs.text).problems).toHaveLength(1);
    } finally {
      await query("update accounts set posted_minor = posted_minor - 1 where kind = 'Wallet'");
    }
  });
});

describe("migrate", () => {
  test("brings an empty database to the newest schema, and then has nothing to do", async () => {
    const empty = await emptyDatabase();
    try {
      const environment = { ...service.environment, FLORIN_DATABASE_URL: empty.url };
      const first = await run(["migrate"], environment);
      expect(first.text).toMatch(/Applying migration 0001_\S+\n(.*\n)*The schema is up to date\.$/);
      const second = await run(["migrate"], environment);
      expect(second).toEqual({ code: 0, text: "The schema is up to date." });
    } finally {
      await empty.drop();
    }
  });
});

describe("the florin program", () => {
  afterAll(cleanUp);
  const elsewhere = () => ({ FLORIN_DATA_DIR: newDataDir() });
  const onService = () => ({ ...service.environment });

  test.each([[[]], [["help"]], [["--help"]]])(
    "%j shows the usage and ends with 0",
    async (args) => {
      const { code, stdout, stderr } = await florin(args, elsewhere());
      expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
      for (const name of ["audit", "org create", "credentials rotate", "keys rotate", "migrate"]) {
        expect(stdout).toContain(`  ${name}`);
      }
    },
  );

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
      expect((await run(["org", "create", "First"], environment)).code).toBe(0);
      expect((await run(["audit"], environment)).code).toBe(0);
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
        await run(["migrate"], environment);
        await execute(
          older.url,
          "delete from schema_migrations where name = (select max(name) from schema_migrations)",
        );
        const before = await queryAt(older.url, applied);
        await expect(run(args, environment)).rejects.toThrow(
          "The schema of the database is not up to date: run `florin migrate` first.",
        );
        expect(await queryAt(older.url, applied)).toEqual(before);
      } finally {
        await older.drop();
      }
    },
  );

  test("audit ends with 0 or 1", async () => {
    expect(await florin(["audit"], onService())).toMatchObject({ code: 0, stderr: "" });
    await query("update accounts set held_minor = 1 where kind = 'Wallet'");
    try {
      const { code, stdout } = await florin(["audit"], onService());
      expect(code).toBe(1);
      expect(stdout).toContain("without an open authorization");
    } finally {
      await query("update accounts set held_minor = 0 where kind = 'Wallet'");
    }
  });

  test("migrate refuses a database whose migrations were edited, or are unknown", async () => {
    const edit = (sql: string) => execute(service.databaseUrl, sql);
    const name = "(select min(name) from schema_migrations)";
    await edit(`update schema_migrations set checksum = 'x' || checksum where name = ${name}`);
    try {
      const { code, stderr } = await florin(["migrate"], onService());
      expect(code).not.toBe(0);
      expect(stderr).toMatch(/edited.*0001_\S+\.sql/);
    } finally {
      await edit(
        `update schema_migrations set checksum = substr(checksum, 2) where name = ${name}`,
      );
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
});
