import { afterEach, beforeEach, expect, test } from "vitest";
import { scratchDatabase } from "../../test/harness/scratch.ts";
import { type Core, openCore } from "../core.ts";
import { Reads } from "../db/reads.ts";
import { Engine } from "../engine/engine.ts";
import { readConfig } from "../foundation/config/config.ts";
import { rotateCredentials, rotateWebhookSecret } from "../identity/organizations.ts";
import { rotateKeys } from "../identity/rotate-keys.ts";
import { audit } from "../ledger/audit/audit.ts";
import { depositMoney, readWallets, WalletIds } from "../wallets/service.ts";
import { type SeedDeps, seedSandbox } from "./seed.ts";

/** What one process brings to the seeding of a sandbox. */
type Process = SeedDeps & Core & { stop(): Promise<void> };

let database: Awaited<ReturnType<typeof scratchDatabase>>;
let processes: Process[];
beforeEach(async () => {
  database = await scratchDatabase();
  processes = [];
});
afterEach(async () => {
  for (const one of processes) await one.stop();
  await database.drop();
});

async function startProcess(): Promise<Process> {
  const config = readConfig({ FLORIN_DATABASE_URL: database.url, FLORIN_DATABASE_POOL_SIZE: "2" });
  const core = await openCore(config, () => undefined);
  const { pool, clock, databaseUrl } = core;
  const engine = new Engine({
    connectionString: databaseUrl,
    name: "test",
    lanes: 1,
    durable: true,
    clock,
  });
  const reads = new Reads(databaseUrl);
  const one = {
    ...core,
    engine,
    reads,
    walletIds: new WalletIds(pool, clock),
    stop: async () => {
      await Promise.all([engine.stop(), reads.stop()]);
      await core.close();
    },
  };
  processes.push(one);
  return one;
}

async function organizations({ pool }: Process): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>(
    "select organization_id as id from organizations",
  );
  return rows.map(({ id }) => id);
}

async function walletsOf(one: Process): Promise<unknown[]> {
  const [organizationId = ""] = await organizations(one);
  const wallets = await readWallets(one, organizationId);
  return wallets.map(({ currency, postedMinor }) => [currency, postedMinor]);
}

test("a sandbox is born with one organization, its credentials and 100,000.00 USD", async () => {
  const one = await startProcess();
  expect(await seedSandbox(one)).toEqual({
    clientId: expect.stringMatching(/^cli_[0-9a-hjkmnp-tv-z]{26}$/),
    clientSecret: expect.stringMatching(/^[\w-]{43}$/),
    uniqueKey: expect.stringMatching(/^[\w-]{32}$/),
    webhookSecret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{32}$/),
    dashboard: {
      email: expect.stringContaining("@"),
      password: expect.stringMatching(/^[\w-]{20}$/),
      totpSecret: expect.stringMatching(/^[A-Z2-7]{32}$/),
    },
  });
  expect(await walletsOf(one)).toEqual([["USD", 100_000_00n]]);
  expect((await audit(one.pool)).problems).toEqual([]);
});

test("every later start finds the same credentials and whatever money is left", async () => {
  const one = await startProcess();
  const credentials = await seedSandbox(one);
  const [organizationId = ""] = await organizations(one);
  await depositMoney(one, organizationId, { currency: "USD", amountMinor: 1n });
  expect(await seedSandbox(one)).toEqual(credentials);
  expect(await seedSandbox(await startProcess())).toEqual(credentials);
  expect(await walletsOf(one)).toEqual([["USD", 100_000_01n]]);
});

test("processes that start at once seed once", async () => {
  const all = [await startProcess(), await startProcess(), await startProcess()];
  const seen = await Promise.all(all.map((one) => seedSandbox(one)));
  expect(new Set(seen.map(({ clientId }) => clientId)).size).toBe(1);
  const one = all[0] as Process;
  expect(await organizations(one)).toHaveLength(1);
  expect(await walletsOf(one)).toEqual([["USD", 100_000_00n]]);
});

test("a start that died between the organization and its money is completed by the next", async () => {
  const one = await startProcess();
  const dying = {
    ...one,
    engine: { run: () => Promise.reject(new Error("killed")) } as unknown as Engine,
  };
  await expect(seedSandbox(dying)).rejects.toThrow("killed");
  expect(await organizations(one)).toHaveLength(1);
  await seedSandbox(one);
  expect(await organizations(one)).toHaveLength(1);
  expect(await walletsOf(one)).toEqual([["USD", 100_000_00n]]);
});

test("rotated credentials and keys are what the next start finds", async () => {
  const one = await startProcess();
  const before = await seedSandbox(one);
  const [organizationId = ""] = await organizations(one);
  const [rotated] = await rotateCredentials(one, organizationId, 0);
  const signing = await rotateWebhookSecret(one, organizationId, 0);
  await rotateKeys(one, 3600);
  expect(await seedSandbox(await startProcess())).toEqual({
    ...before,
    clientSecret: rotated?.clientSecret,
    webhookSecret: signing?.webhookSecret,
  });
});
