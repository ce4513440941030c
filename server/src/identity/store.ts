import type { Connection } from "../db/pool.ts";
import type { Scope } from "./scopes.ts";

export type Status = "Enabled" | "Disabled";

export interface OrganizationRow {
  organizationId: string;
  name: string;
  status: Status;
  customerManaged: boolean;
  createdAt: Date;
}

export interface ClientRow {
  clientId: string;
  organizationId: string;
  /** Both the client's own status and its organization's. */
  enabled: boolean;
  secretSealed: Buffer;
  previousSecretSealed: Buffer | null;
  previousSecretUntil: Date | null;
  uniqueKeySealed: Buffer;
  allowedScopes: Scope[];
  defaultScopes: Scope[];
}

const CLIENT = `
  select c.client_id as "clientId", c.organization_id as "organizationId",
         c.status = 'Enabled' and o.status = 'Enabled' as enabled, c.secret_sealed as "secretSealed",
         c.previous_secret_sealed as "previousSecretSealed",
         c.previous_secret_until as "previousSecretUntil", c.unique_key_sealed as "uniqueKeySealed",
         c.allowed_scopes as "allowedScopes", c.default_scopes as "defaultScopes"
    from clients c join organizations o using (organization_id)`;

export async function findClient(db: Connection, clientId: string): Promise<ClientRow | undefined> {
  const { rows } = await db.query<ClientRow>(`${CLIENT} where c.client_id = $1`, [clientId]);
  return rows[0];
}

export async function listClients(db: Connection, organizationId: string): Promise<ClientRow[]> {
  const { rows } = await db.query<ClientRow>(
    `${CLIENT} where c.organization_id = $1 order by c.client_id`,
    [organizationId],
  );
  return rows;
}

/** The same, for a change of theirs that must not cross another. */
export async function lockClients(db: Connection, organizationId: string): Promise<ClientRow[]> {
  const { rows } = await db.query<ClientRow>(
    `${CLIENT} where c.organization_id = $1 order by c.client_id for no key update of c`,
    [organizationId],
  );
  return rows;
}

export async function listOrganizations(db: Connection): Promise<OrganizationRow[]> {
  const { rows } = await db.query<OrganizationRow>(
    `select organization_id as "organizationId", name, status, customer_managed as "customerManaged",
            created_at as "createdAt" from organizations order by organization_id`,
  );
  return rows;
}

export async function insertOrganization(
  db: Connection,
  row: OrganizationRow & { webhookSecretSealed: Buffer; sandboxSeedSealed: Buffer | null },
): Promise<void> {
  await db.query(
    `insert into organizations (organization_id, name, status, customer_managed, webhook_secret_sealed,
       sandbox_seed_sealed, created_at) values ($1, $2, $3, $4, $5, $6, $7)`,
    [
      row.organizationId,
      row.name,
      row.status,
      row.customerManaged,
      row.webhookSecretSealed,
      row.sandboxSeedSealed,
      row.createdAt,
    ],
  );
}

export interface SandboxSeedRow {
  organizationId: string;
  webhookSecretSealed: Buffer;
  sandboxSeedSealed: Buffer;
}

export async function findSandboxSeed(db: Connection): Promise<SandboxSeedRow | undefined> {
  const { rows } = await db.query<SandboxSeedRow>(
    `select organization_id as "organizationId", webhook_secret_sealed as "webhookSecretSealed",
            sandbox_seed_sealed as "sandboxSeedSealed"
       from organizations where sandbox_seed_sealed is not null`,
  );
  return rows[0];
}

export async function insertClient(
  db: Connection,
  row: Omit<ClientRow, "enabled" | "previousSecretSealed" | "previousSecretUntil"> & {
    createdAt: Date;
    /** Whether the dashboard may show the secret once. */
    revealable: boolean;
  },
): Promise<void> {
  await db.query(
    `insert into clients (client_id, organization_id, secret_sealed, unique_key_sealed, allowed_scopes,
       default_scopes, created_at, secret_created_at, secret_revealable)
     values ($1, $2, $3, $4, $5, $6, $7, $7, $8)`,
    [
      row.clientId,
      row.organizationId,
      row.secretSealed,
      row.uniqueKeySealed,
      row.allowedScopes,
      row.defaultScopes,
      row.createdAt,
      row.revealable,
    ],
  );
}

/** False when there is no such organization. */
export async function updateOrganization(
  db: Connection,
  organizationId: string,
  change: { status?: Status; customerManaged?: boolean },
): Promise<boolean> {
  const { rowCount } = await db.query(
    `update organizations set status = coalesce($2, status), customer_managed = coalesce($3, customer_managed)
      where organization_id = $1`,
    [organizationId, change.status ?? null, change.customerManaged ?? null],
  );
  return rowCount === 1;
}

export async function replaceSecret(
  db: Connection,
  clientId: string,
  change: {
    secretSealed: Buffer;
    previousSecretSealed: Buffer | null;
    previousSecretUntil: Date | null;
    now: Date;
  },
): Promise<void> {
  await db.query(
    `update clients set secret_sealed = $2, previous_secret_sealed = $3, previous_secret_until = $4,
            previous_secret_created_at = coalesce(secret_created_at, created_at), secret_created_at = $5,
            secret_revealable = false
      where client_id = $1`,
    [
      clientId,
      change.secretSealed,
      change.previousSecretSealed,
      change.previousSecretUntil,
      change.now,
    ],
  );
}

/** Makes a secret the one that signs; that before it signs too, until then. False without such an organization. */
export async function replaceWebhookSecret(
  db: Connection,
  organizationId: string,
  change: { webhookSecretSealed: Buffer; previousUntil: Date; now: Date },
): Promise<boolean> {
  const { rowCount } = await db.query(
    `update organizations
        set previous_webhook_secret_sealed = webhook_secret_sealed, previous_webhook_secret_until = $3,
            previous_webhook_secret_created_at = coalesce(webhook_secret_created_at, created_at),
            webhook_secret_sealed = $2, webhook_secret_created_at = $4
      where organization_id = $1`,
    [organizationId, change.webhookSecretSealed, change.previousUntil, change.now],
  );
  return rowCount === 1;
}

/** Makes every process forget what it knows of organizations and clients. */
export async function announceDirectoryChange(db: Connection): Promise<void> {
  await db.query("update shared_state set directory_version = directory_version + 1");
}

export async function announceKeyChange(db: Connection): Promise<void> {
  await db.query("update shared_state set keys_version = keys_version + 1");
}

export async function writeAudit(
  db: Connection,
  row: {
    auditId: string;
    organizationId: string | null;
    actor: string;
    action: string;
    detail: unknown;
    at: Date;
    /** What it was done to, and from where: known of people's deeds. */
    subject?: string | undefined;
    address?: string | undefined;
  },
): Promise<void> {
  await db.query(
    `insert into audit_log (audit_id, organization_id, actor, action, detail, created_at, subject, address)
     values ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [
      row.auditId,
      row.organizationId,
      row.actor,
      row.action,
      JSON.stringify(row.detail),
      row.at,
      row.subject ?? null,
      row.address ?? null,
    ],
  );
}
