import { insertPerson } from "../dashboard/people/store.ts";
import { hashPassword } from "../dashboard/sign-in/passwords.ts";
import { newTotpSecret, totpSealContext } from "../dashboard/sign-in/totp.ts";
import { holdingLock } from "../db/advisory-lock.ts";
import { newId } from "../foundation/ids.ts";
import { randomSecret } from "../foundation/keyring.ts";
import { openClient } from "../identity/directory.ts";
import {
  createOrganization,
  type OrganizationDeps,
  sandboxSeedSealContext,
  webhookSecretSealContext,
} from "../identity/organizations.ts";
import { findSandboxSeed, listClients } from "../identity/store.ts";
import { depositMoney, type WalletDeps } from "../wallets/service.ts";

const OPENING_BALANCE_MINOR = 100_000_00n;
/** Several processes may start a sandbox at once; one of them seeds it. */
const SEED_LOCK = 4_000_000_004;

export type SeedDeps = OrganizationDeps & WalletDeps & { databaseUrl: string };

/** The credentials of the organization that every sandbox is born with. */
export interface SandboxCredentials {
  clientId: string;
  clientSecret: string;
  uniqueKey: string;
  webhookSecret: string;
  dashboard: { email: string; password: string; totpSecret: string };
}

/** Creates the sandbox organization and its money, once, and gives its credentials. */
export async function seedSandbox(deps: SeedDeps): Promise<SandboxCredentials> {
  return holdingLock(deps.databaseUrl, SEED_LOCK, async () => {
    if ((await findSandboxSeed(deps.pool)) === undefined) await createSeed(deps);
    const seed = await findSandboxSeed(deps.pool);
    if (seed === undefined) throw new Error("The sandbox organization could not be created.");
    await fundOnce(deps, seed.organizationId);
    const credentials = await readCredentials(deps, seed);
    await seatOwner(deps, seed.organizationId, credentials.dashboard);
    return credentials;
  });
}

async function createSeed(deps: SeedDeps): Promise<void> {
  const dashboard = {
    email: "owner@sandbox.florin.example",
    password: randomSecret(15),
    totpSecret: newTotpSecret(),
  };
  await createOrganization(deps, {
    name: "Sandbox",
    customerManaged: true,
    defaultScopes: ["CardAPIs", "CardSecrets"],
    sandboxSeed: JSON.stringify(dashboard),
    revealable: true,
  });
}

/** The organization's owner, who can log in with what sandbox.json says; made once, and left alone then. */
async function seatOwner(
  { pool, vault }: SeedDeps,
  organizationId: string,
  { email, password, totpSecret }: SandboxCredentials["dashboard"],
): Promise<void> {
  const { rowCount } = await pool.query("select from people where organization_id = $1 limit 1", [
    organizationId,
  ]);
  if (rowCount !== 0) return;
  const now = new Date();
  const personId = newId("per", now.getTime());
  await insertPerson(pool, {
    organizationId,
    personId,
    email,
    name: "Sandbox Owner",
    role: "Owner",
    passwordHash: await hashPassword(password),
    totpSecretSealed: vault.seal(totpSecret, totpSealContext({ personId })),
    now,
  });
}

async function fundOnce(deps: SeedDeps, organizationId: string): Promise<void> {
  const { rowCount } = await deps.pool.query(
    "select from postings where organization_id = $1 limit 1",
    [organizationId],
  );
  if (rowCount !== 0) return;
  await depositMoney(deps, organizationId, { currency: "USD", amountMinor: OPENING_BALANCE_MINOR });
}

async function readCredentials(
  { pool, vault }: SeedDeps,
  seed: NonNullable<Awaited<ReturnType<typeof findSandboxSeed>>>,
): Promise<SandboxCredentials> {
  const { organizationId } = seed;
  const [row] = await listClients(pool, organizationId);
  if (row === undefined) throw new Error("The sandbox organization has no client.");
  const { clientId, secret, uniqueKey } = await openClient(row, vault);
  const webhookSecret = await vault.unseal(
    seed.webhookSecretSealed,
    webhookSecretSealContext(organizationId),
  );
  const dashboard = await vault.unseal(
    seed.sandboxSeedSealed,
    sandboxSeedSealContext(organizationId),
  );
  return {
    clientId,
    clientSecret: secret,
    uniqueKey: uniqueKey.toString(),
    webhookSecret: webhookSecret.toString(),
    dashboard: JSON.parse(dashboard.toString()),
  };
}
