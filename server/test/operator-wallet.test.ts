import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openCore } from "../src/core.ts";
import { createPool, type Pool } from "../src/db/pool.ts";
import { readConfig } from "../src/foundation/config/config.ts";
import { createOrganization } from "../src/identity/organizations.ts";
import { audit } from "../src/ledger/audit/audit.ts";
import { CommandError } from "../src/operator/command.ts";
import { type Bank, openBank, tally } from "./harness/bank.ts";
import { openCard } from "./harness/cards.ts";
import { runCommand } from "./harness/command.ts";
import { scratchDatabase } from "./harness/scratch.ts";
import { absentSumsub } from "./harness/sumsub.ts";

let bank: Bank;
beforeAll(async () => {
  bank = await openBank();
});
afterAll(() => bank.stop());

const run = (args: string[], environment = bank.service.environment) =>
  runCommand(args, environment);

type Change = [organizationId: string, currency: string, amount: string, reference: string];

const credit = ([organizationId, currency, amount, reference]: Change) =>
  run(["wallet", "credit", organizationId, currency, amount, "--reference", reference]);
const debit = ([organizationId, currency, amount, reference]: Change) =>
  run(["wallet", "debit", organizationId, currency, amount, "--reference", reference]);

const walletsOf = async (client: Bank["client"]) =>
  (await client.get("/wallets")).body.data.map(
    ({ currency, balance }: { currency: string; balance: number }) => `${balance} ${currency}`,
  );

const rowsOf = async (sql: string, organizationId: string) =>
  (await bank.pool.query(sql, [organizationId])).rows;

/** From which account to which, an entry after the other. */
const waysOf = async (organizationId: string) =>
  rowsOf(
    `select debit_account_id as "from", credit_account_id as "to" from postings
      where organization_id = $1 order by posting_id`,
    organizationId,
  );

describe("wallet credit", () => {
  test("brings money in, beside a running service, and leaves a trail", async () => {
    const { client, organizationId } = await bank.foundAnother();
    const { code, text } = await credit([organizationId, "USD", "1250.50", "wire-1"]);
    expect(code).toBe(0);
    expect(text).toMatch(
      /^Done: a credit of 1250\.50 USD, reference wire-1\. Wallet wal_\w+ has 1250\.50 USD\.$/,
    );
    expect(await walletsOf(client)).toEqual(["1250.5 USD"]);

    const [wallet] = (await client.get("/wallets")).body.data;
    const { body } = await client.get(`/wallets/${wallet.walletId}/entries`);
    expect(body.data).toEqual([
      expect.objectContaining({
        kind: "Adjustment",
        direction: "Credit",
        amount: 1250.5,
        reference: "wire-1",
      }),
    ]);
    expect(
      await rowsOf(
        `select action, actor, detail from audit_log
          where organization_id = $1 and action like 'wallet%'`,
        organizationId,
      ),
    ).toEqual([
      {
        action: "wallet.credited",
        actor: "operator",
        detail: {
          reference: "wire-1",
          walletId: wallet.walletId,
          currency: "USD",
          amount: "1250.50",
        },
      },
    ]);
    expect(
      await rowsOf(
        "select event_type as type, data from events where organization_id = $1",
        organizationId,
      ),
    ).toEqual([
      {
        type: "wallet.deposited",
        data: { walletId: wallet.walletId, currency: "USD", amount: 1250.5, balance: 1250.5 },
      },
    ]);
    await bank.expectProof();
  });

  test("the same again says that it was done, and does nothing", async () => {
    const { client, organizationId } = await bank.foundAnother();
    const change: Change = [organizationId, "USD", "10", "wire-2"];
    await credit(change);
    const { code, text } = await credit([organizationId, "USD", "10.00", "wire-2"]);
    expect(code).toBe(0);
    expect(text).toMatch(
      /^Already done on \S+Z: a credit of 10\.00 USD, reference wire-2\. Nothing was changed\. Wallet wal_\w+ has 10\.00 USD\.$/,
    );
    expect(await walletsOf(client)).toEqual(["10 USD"]);
    const deeds = "select from audit_log where organization_id = $1 and action like 'wallet%'";
    expect(await rowsOf(deeds, organizationId)).toHaveLength(1);
  });

  test("for ever: also long after clients' References have expired", async () => {
    const { client, organizationId } = await bank.foundAnother();
    await credit([organizationId, "USD", "10", "wire-3"]);
    await bank.client.post("/simulator/clock/advance", { seconds: 300 * 86_400 });
    bank.client.forgetToken();
    client.forgetToken();
    expect((await credit([organizationId, "USD", "10", "wire-3"])).text).toMatch(/^Already done/);
    expect(await walletsOf(client)).toEqual(["10 USD"]);
  });

  test.each<[string, (organizationId: string) => Change, "credit" | "debit"]>([
    ["another amount", (id) => [id, "USD", "11", "r"], "credit"],
    ["another currency", (id) => [id, "EUR", "10", "r"], "credit"],
    ["the other direction", (id) => [id, "USD", "10", "r"], "debit"],
  ])("the same reference with %s is an error", async (_what, changeOf, direction) => {
    const { client, organizationId } = await bank.foundAnother();
    await credit([organizationId, "USD", "10", "r"]);
    const { code, text } = await { credit, debit }[direction](changeOf(organizationId));
    expect(code).toBe(1);
    expect(text).toMatch(/^Refused: The reference r was used for a credit of 10\.00 USD\. Nothing/);
    expect(await walletsOf(client)).toEqual(["10 USD"]);
  });

  test("another organization may use the same reference", async () => {
    const [one, two] = [await bank.foundAnother(), await bank.foundAnother()];
    await credit([one.organizationId, "USD", "1", "shared"]);
    expect((await credit([two.organizationId, "USD", "2", "shared"])).text).toMatch(/^Done/);
    expect(await walletsOf(two.client)).toEqual(["2 USD"]);
  });

  test("several operators at once with one reference: one credit", async () => {
    const { client, organizationId } = await bank.foundAnother();
    const outcomes = await Promise.all(
      Array.from({ length: 4 }, () => credit([organizationId, "USD", "5", "race"])),
    );
    expect(outcomes.map(({ code }) => code)).toEqual([0, 0, 0, 0]);
    expect(outcomes.filter(({ text }) => text.startsWith("Done"))).toHaveLength(1);
    expect(await walletsOf(client)).toEqual(["5 USD"]);
  });

  test("one reference in two currencies at once: one of them is refused", async () => {
    const { client, organizationId } = await bank.foundAnother();
    const outcomes = await Promise.all([
      credit([organizationId, "USD", "5", "race"]),
      credit([organizationId, "EUR", "5", "race"]),
    ]);
    expect(outcomes.map(({ code }) => code).sort()).toEqual([0, 1]);
    const filled = (await walletsOf(client)).filter((each: string) => each.startsWith("5 "));
    expect(filled).toHaveLength(1);
    await bank.expectProof();
  });
});

describe("wallet debit", () => {
  test("takes money out, without an event", async () => {
    const { client, organizationId } = await bank.foundAnother();
    await credit([organizationId, "USD", "10", "in"]);
    const { code, text } = await debit([organizationId, "USD", "4.25", "out"]);
    expect(code).toBe(0);
    expect(text).toMatch(
      /^Done: a debit of 4\.25 USD, reference out\. Wallet \S+ has 5\.75 USD\.$/,
    );
    expect(await walletsOf(client)).toEqual(["5.75 USD"]);
    const events = "select event_type from events where organization_id = $1";
    expect(await rowsOf(events, organizationId)).toHaveLength(1);
    expect((await debit([organizationId, "USD", "4.25", "out"])).text).toMatch(/^Already done/);
    await bank.expectProof();
  });

  test("is on record, once", async () => {
    const { client, organizationId } = await bank.foundAnother();
    await credit([organizationId, "USD", "10", "in"]);
    for (let i = 0; i < 2; i++) await debit([organizationId, "USD", "4.25", "out"]);
    const [{ walletId }] = (await client.get("/wallets")).body.data;
    const deeds = "select actor, detail from audit_log where organization_id = $1 and action = ";
    expect(await rowsOf(`${deeds} 'wallet.debited'`, organizationId)).toEqual([
      {
        actor: "operator",
        detail: { reference: "out", walletId, currency: "USD", amount: "4.25" },
      },
    ]);
  });

  test("and a credit both go against the deposits account", async () => {
    const { client, organizationId } = await bank.foundAnother();
    await credit([organizationId, "USD", "10", "in"]);
    await debit([organizationId, "USD", "4.25", "out"]);
    const [{ walletId }] = (await client.get("/wallets")).body.data;
    expect(await waysOf(organizationId)).toEqual([
      { from: "Deposits:USD", to: walletId },
      { from: walletId, to: "Deposits:USD" },
    ]);
  });

  test("beyond what is available it is refused, whole", async () => {
    const { client, organizationId } = await bank.foundAnother();
    expect(await debit([organizationId, "USD", "1", "early"])).toEqual({
      code: 1,
      text: "Refused: Insufficient funds. Nothing was changed.",
    });
    await credit([organizationId, "USD", "10", "in"]);
    expect((await debit([organizationId, "USD", "10.01", "out"])).code).toBe(1);
    expect(await walletsOf(client)).toEqual(["10 USD"]);
    expect((await debit([organizationId, "USD", "10", "out"])).code).toBe(0);
    expect(await walletsOf(client)).toEqual(["0 USD"]);
  });

  test("and top-ups of a running service never take a wallet below zero together", async () => {
    const { client, organizationId } = await bank.foundAnother();
    await credit([organizationId, "USD", "10", "in"]);
    const { cardId } = await openCard(bank.pool, organizationId);
    const [answers, ...outcomes] = await Promise.all([
      Promise.all(
        Array.from({ length: 12 }, () => client.post(`/cards/${cardId}/top-up`, { amount: 1 })),
      ),
      ...["a", "b", "c"].map((reference) => debit([organizationId, "USD", "3", reference])),
    ]);
    const toppedUp = tally(answers)["200/000"] ?? 0;
    const paidOut = outcomes.filter(({ code }) => code === 0).length * 3;
    expect(toppedUp + paidOut).toBeLessThanOrEqual(10);
    expect(await walletsOf(client)).toEqual([`${10 - toppedUp - paidOut} USD`]);
    await bank.expectProof();
  });
});

describe("mistakes:", () => {
  test.each<[string, string[], RegExp]>([
    ["no reference", ["org_x", "USD", "1"], /--reference is 1 to 64/],
    ["a reference with a space", ["org_x", "USD", "1", "--reference", "a b"], /--reference/],
    ["a reference beyond bounds", ["org_x", "USD", "1", "--reference", "x".repeat(65)], /1 to 64/],
    ["no amount", ["org_x", "USD", "--reference", "r"], /<orgId> <currency> <amount>/],
    ["an amount in words", ["org_x", "USD", "ten", "--reference", "r"], /ten is no amount/],
    ["a currency that is none", ["org_x", "usd", "1", "--reference", "r"], /usd is no ISO 4217/],
    ["an organization that is none", ["org_x", "USD", "1", "--reference", "r"], /no organization/],
    ["an option that is none", ["org_x", "USD", "1", "--ref", "r"], /--ref/],
  ])("%s", async (_what, args, expected) => {
    for (const direction of ["credit", "debit"]) {
      const mistake = run(["wallet", direction, ...args]);
      await expect(mistake).rejects.toThrow(CommandError);
      await expect(mistake).rejects.toThrow(expected);
    }
  });
});

test("works in production, without a service", async () => {
  const database = await scratchDatabase();
  const environment = {
    FLORIN_ENV: "production",
    FLORIN_DATABASE_URL: database.url,
    FLORIN_MASTER_KEY: Buffer.alloc(32, 7).toString("base64"),
    FLORIN_API_URL: "https://api.florin.example",
    FLORIN_IDENTITY_URL: "https://identity.florin.example",
    FLORIN_DASHBOARD_URL: "https://dashboard.florin.example",
    FLORIN_TRUST_PROXY: "127.0.0.1",
    ...absentSumsub,
  };
  let pool: Pool | undefined;
  try {
    const core = await openCore(readConfig(environment), () => undefined);
    const { organizationId } = await createOrganization(core, {
      name: "Real",
      customerManaged: false,
      defaultScopes: ["CardAPIs"],
    });
    await core.close();
    const args = ["wallet", "credit", organizationId, "NGN", "500", "--reference", "bank-1"];
    expect((await run(args, environment)).text).toMatch(/^Done: a credit of 500\.00 NGN/);
    pool = createPool(database.url, 1);
    expect((await audit(pool)).problems).toEqual([]);
  } finally {
    await pool?.end();
    await database.drop();
  }
});
