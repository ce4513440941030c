import type { Connection } from "../../db/pool.ts";
import type { Scope } from "../../identity/scopes.ts";

/** How old a secret and the one before it are, and until when that counts too. */
export interface SecretTimes {
  secretCreatedAt: Date;
  previousSecretCreatedAt: Date;
  previousSecretUntil: Date | null;
}

/** A client as the dashboard shows it, its secrets still sealed. */
export interface ShownClient extends SecretTimes {
  clientId: string;
  secretSealed: Buffer;
  uniqueKeySealed: Buffer;
  allowedScopes: Scope[];
  defaultScopes: Scope[];
  isRevealable: boolean;
}

/** An organization's client; the first one, should an operator ever have made more. */
export async function findShownClient(
  db: Connection,
  organizationId: string,
): Promise<ShownClient | undefined> {
  const { rows } = await db.query<ShownClient>(
    `select client_id as "clientId", secret_sealed as "secretSealed",
            unique_key_sealed as "uniqueKeySealed", allowed_scopes as "allowedScopes",
            default_scopes as "defaultScopes", secret_revealable as "isRevealable",
            coalesce(secret_created_at, created_at) as "secretCreatedAt",
            coalesce(previous_secret_created_at, created_at) as "previousSecretCreatedAt",
            previous_secret_until as "previousSecretUntil"
       from clients where organization_id = $1 order by client_id limit 1`,
    [organizationId],
  );
  return rows[0];
}

/** How old an organization's signing secret is, and the one before it. */
export async function findSigningSecrets(
  db: Connection,
  organizationId: string,
): Promise<SecretTimes | undefined> {
  const { rows } = await db.query<SecretTimes>(
    `select coalesce(webhook_secret_created_at, created_at) as "secretCreatedAt",
            coalesce(previous_webhook_secret_created_at, created_at) as "previousSecretCreatedAt",
            previous_webhook_secret_until as "previousSecretUntil"
       from organizations where organization_id = $1`,
    [organizationId],
  );
  return rows[0];
}

/** Takes the one chance to see a secret; false when somebody had it before. */
export async function takeReveal(
  db: Connection,
  organizationId: string,
  clientId: string,
): Promise<boolean> {
  const { rowCount } = await db.query(
    `update clients set secret_revealable = false
      where organization_id = $1 and client_id = $2 and secret_revealable`,
    [organizationId, clientId],
  );
  return rowCount === 1;
}

export async function saveDefaultScopes(
  db: Connection,
  organizationId: string,
  clientId: string,
  defaultScopes: readonly Scope[],
): Promise<void> {
  await db.query(
    "update clients set default_scopes = $3 where organization_id = $1 and client_id = $2",
    [organizationId, clientId, defaultScopes],
  );
}
