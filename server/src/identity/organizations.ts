import type { Connection, Pool } from "../db/pool.ts";
import { transaction } from "../db/transaction.ts";
import type { Clock } from "../foundation/clock.ts";
import { newId } from "../foundation/ids.ts";
import { randomSecret } from "../foundation/keyring.ts";
import type { Vault } from "../keys/vault.ts";
import { openClient, secretSealContext, uniqueKeySealContext } from "./directory.ts";
import type { Scope } from "./scopes.ts";
import {
  announceDirectoryChange,
  insertClient,
  insertOrganization,
  lockClients,
  replaceSecret,
  replaceWebhookSecret,
  updateOrganization,
  writeAudit,
} from "./store.ts";

export interface OrganizationDeps {
  pool: Pool;
  vault: Vault;
  clock: Clock;
}

/** What a client needs to talk to the API. Shown once, at creation or rotation. */
export interface Credentials {
  organizationId: string;
  clientId: string;
  clientSecret: string;
  uniqueKey: string;
  webhookSecret: string;
}

export interface NewOrganization {
  name: string;
  customerManaged: boolean;
  /** Granted and, unless narrowed in the token request, given with every token. */
  defaultScopes: readonly Scope[];
  /** Marks the one organization that a sandbox is born with, and is kept for its sandbox.json. */
  sandboxSeed?: string;
  /** Whether nobody is shown the secret now, so that the dashboard may show it once. */
  revealable?: boolean;
}

/** Who did something that is audited, and from where if it was a person. */
export interface Actor {
  actor: string;
  address?: string;
}

const OPERATOR: Actor = { actor: "operator" };

export function createOrganization(
  deps: OrganizationDeps,
  organization: NewOrganization,
): Promise<Credentials> {
  return transaction(deps.pool, (tx) => foundOrganization(tx, deps, organization, OPERATOR));
}

/** The same as part of something larger. */
export async function foundOrganization(
  tx: Connection,
  { vault, clock }: Pick<OrganizationDeps, "vault" | "clock">,
  { name, customerManaged, defaultScopes, sandboxSeed, revealable = false }: NewOrganization,
  by: Actor,
): Promise<Credentials> {
  const now = clock.now();
  const credentials: Credentials = {
    organizationId: newId("org", now.getTime()),
    clientId: newId("cli", now.getTime()),
    clientSecret: randomSecret(32),
    uniqueKey: randomSecret(24),
    webhookSecret: newWebhookSecret(),
  };
  const { organizationId, clientId } = credentials;
  await insertOrganization(tx, {
    organizationId,
    name,
    status: "Enabled",
    customerManaged,
    webhookSecretSealed: vault.seal(
      credentials.webhookSecret,
      webhookSecretSealContext(organizationId),
    ),
    sandboxSeedSealed:
      sandboxSeed === undefined
        ? null
        : vault.seal(sandboxSeed, sandboxSeedSealContext(organizationId)),
    createdAt: now,
  });
  await insertClient(tx, {
    clientId,
    organizationId,
    secretSealed: vault.seal(credentials.clientSecret, secretSealContext(clientId)),
    uniqueKeySealed: vault.seal(credentials.uniqueKey, uniqueKeySealContext(clientId)),
    allowedScopes: ["CardAPIs", "CardSecrets"],
    defaultScopes: [...defaultScopes],
    createdAt: now,
    revealable,
  });
  await announceDirectoryChange(tx);
  await audit(tx, clock, by, organizationId, "organization.created", { name });
  return credentials;
}

/** Enables, disables or changes an organization; false when there is none. */
export async function changeOrganization(
  { pool, clock }: OrganizationDeps,
  organizationId: string,
  change: { status?: "Enabled" | "Disabled"; customerManaged?: boolean },
): Promise<boolean> {
  return transaction(pool, async (tx) => {
    if (!(await updateOrganization(tx, organizationId, change))) return false;
    await announceDirectoryChange(tx);
    await audit(tx, clock, OPERATOR, organizationId, "organization.changed", change);
    return true;
  });
}

/** Gives each client of an organization a new secret; the old one counts until the overlap is over. */
export async function rotateCredentials(
  { pool, vault, clock }: OrganizationDeps,
  organizationId: string,
  overlapMs: number,
  by = OPERATOR,
): Promise<{ clientId: string; clientSecret: string; previousSecretUntil: Date }[]> {
  const now = clock.now();
  const previousSecretUntil = new Date(now.getTime() + overlapMs);
  return transaction(pool, async (tx) => {
    const clients = await lockClients(tx, organizationId);
    if (clients.length === 0) return [];
    const rotated = clients.map(({ clientId }) => ({
      clientId,
      clientSecret: randomSecret(32),
      previousSecretUntil,
    }));
    for (const [index, { clientId, clientSecret }] of rotated.entries()) {
      const { secret } = await openClient(clients[index] as (typeof clients)[number], vault);
      await replaceSecret(tx, clientId, {
        secretSealed: vault.seal(clientSecret, secretSealContext(clientId)),
        previousSecretSealed: vault.seal(secret, secretSealContext(clientId)),
        previousSecretUntil,
        now,
      });
    }
    await announceDirectoryChange(tx);
    await audit(tx, clock, by, organizationId, "credentials.rotated", { overlapMs });
    return rotated;
  });
}

/** A new secret for signing what the organization is asked and told; the old one signs too until the overlap is over. */
export async function rotateWebhookSecret(
  { pool, vault, clock }: OrganizationDeps,
  organizationId: string,
  overlapMs: number,
  by = OPERATOR,
): Promise<{ webhookSecret: string; previousSecretUntil: Date } | undefined> {
  const now = clock.now();
  const previousSecretUntil = new Date(now.getTime() + overlapMs);
  const webhookSecret = newWebhookSecret();
  return transaction(pool, async (tx) => {
    const isFound = await replaceWebhookSecret(tx, organizationId, {
      webhookSecretSealed: vault.seal(webhookSecret, webhookSecretSealContext(organizationId)),
      previousUntil: previousSecretUntil,
      now,
    });
    if (!isFound) return undefined;
    await announceDirectoryChange(tx);
    const action = "credentials.signing_secret_rotated";
    await audit(tx, clock, by, organizationId, action, { overlapMs });
    return { webhookSecret, previousSecretUntil };
  });
}

/** As Standard Webhooks writes them. */
const newWebhookSecret = (): string =>
  `whsec_${Buffer.from(randomSecret(24), "base64url").toString("base64")}`;

export const webhookSecretSealContext = (organizationId: string): string =>
  `organizations/${organizationId}/webhook_secret`;

export const sandboxSeedSealContext = (organizationId: string): string =>
  `organizations/${organizationId}/sandbox_seed`;

function audit(
  tx: Parameters<typeof writeAudit>[0],
  clock: Clock,
  by: Actor,
  organizationId: string,
  action: string,
  detail: unknown,
): Promise<void> {
  const at = clock.now();
  const auditId = newId("aud", at.getTime());
  return writeAudit(tx, { ...by, auditId, organizationId, action, detail, at });
}
