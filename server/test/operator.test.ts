import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { CommandError } from "../src/operator/command.ts";
import { verdict } from "./harness/answers.ts";
import { ApiClient, type SandboxFile } from "./harness/api-client.ts";
import { runCommand } from "./harness/command.ts";
import { emptyDatabase, execute } from "./harness/empty-database.ts";
import { until } from "./harness/eventually.ts";
import { startTestService, type TestService } from "./harness/service.ts";

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

const run = (args: string[], environment = service.environment) => runCommand(args, environment);

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
  execute(service.databaseUrl, sql, values);

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

  test("a secret that was replaced works for a day longer, unless another time is asked for", async () => {
    const { organizationId } = await createOrganization("Rotating");
    const hoursOf = async (...options: string[]) => {
      await run(["credentials", "rotate", organizationId, ...options]);
      const [row] = await query<{ hours: number }>(
        `select extract(epoch from previous_secret_until - max(a.created_at))::float8 / 3600 as hours
           from clients c join audit_log a using (organization_id)
          where organization_id = $1 group by c.previous_secret_until`,
        [organizationId],
      );
      return row?.hours;
    };
    expect(await hoursOf()).toBeCloseTo(24, 1);
    expect(await hoursOf("--overlap-hours", "3")).toBeCloseTo(3, 1);
  });

  test.each([
    ["org", "disable", "org_none"],
    ["org", "enable", "org_none"],
    ["org", "customer-managed", "org_none", "on"],
    ["credentials", "rotate", "org_none"],
    ["credentials", "rotate", "org_none", "--signing-secret"],
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
    [["credentials", "rotate", "org_x", "--signing-secret=yes"], /--signing-secret takes no value/],
  ])("a mistake is explained: %j", async (args, expected) => {
    const mistake = run(args);
    await expect(mistake).rejects.toThrow(CommandError);
    await expect(mistake).rejects.toThrow(expected);
  });

  test("every deed is in the audit log", async () => {
    const { organizationId } = await createOrganization("Watched");
    await run(["org", "disable", organizationId]);
    await run(["credentials", "rotate", organizationId]);
    const deeds = await query<{ action: string; actor: string; detail: object }>(
      "select action, actor, detail from audit_log where organization_id = $1 order by audit_id",
      [organizationId],
    );
    const actor = "operator";
    expect(deeds).toEqual([
      { action: "organization.created", actor, detail: { name: "Watched" } },
      { action: "organization.changed", actor, detail: { status: "Disabled" } },
      { action: "credentials.rotated", actor, detail: { overlapMs: 86_400_000 } },
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
              union all select previous_webhook_secret_sealed from organizations
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
