import type { Connection } from "../../db/pool.ts";

export const authorizationModels = ["ServiceManaged", "CustomerManaged"] as const;
export type AuthorizationModel = (typeof authorizationModels)[number];

export const defaultDecisions = ["AutoApprove", "AutoDecline"] as const;
export type DefaultDecision = (typeof defaultDecisions)[number];

/** What an organization chooses. */
export interface Settings {
  model: AuthorizationModel;
  authorizationUrl: string | null;
  defaultAuthorizationDecision: DefaultDecision | null;
}

export interface SettingsRow extends Settings {
  /** The latest address there was. */
  adviceUrl: string | null;
  revision: bigint;
  /** Whether the operator lets it decide for itself. */
  isEnabled: boolean;
  /** Whether the operator has put it out of service. */
  isDisabled: boolean;
  webhookSecretSealed: Buffer;
  previousWebhookSecretSealed: Buffer | null;
  previousWebhookSecretUntil: Date | null;
}

export async function findSettings(
  db: Connection,
  organizationId: string,
): Promise<SettingsRow | undefined> {
  const { rows } = await db.query<SettingsRow>(
    `select coalesce(s.model, 'ServiceManaged') as model, s.authorization_url as "authorizationUrl",
            s.default_decision as "defaultAuthorizationDecision", s.advice_url as "adviceUrl",
            coalesce(s.revision, 0) as revision, o.customer_managed as "isEnabled",
            o.status = 'Disabled' as "isDisabled", o.webhook_secret_sealed as "webhookSecretSealed",
            o.previous_webhook_secret_sealed as "previousWebhookSecretSealed",
            o.previous_webhook_secret_until as "previousWebhookSecretUntil"
       from organizations o left join card_authorization_settings s using (organization_id)
      where o.organization_id = $1`,
    [organizationId],
  );
  return rows[0];
}

export async function saveSettings(
  db: Connection,
  organizationId: string,
  settings: Settings,
  now: Date,
): Promise<void> {
  await db.query(
    `insert into card_authorization_settings as s (organization_id, model, authorization_url,
       default_decision, advice_url, revision, updated_at)
     values ($1, $2, $3, $4, $3, 1, $5)
     on conflict (organization_id) do update
        set model = excluded.model, authorization_url = excluded.authorization_url,
            default_decision = excluded.default_decision,
            advice_url = coalesce(excluded.advice_url, s.advice_url), revision = s.revision + 1,
            updated_at = excluded.updated_at`,
    [
      organizationId,
      settings.model,
      settings.authorizationUrl,
      settings.defaultAuthorizationDecision,
      now,
    ],
  );
}
