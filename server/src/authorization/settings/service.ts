import type { Pool } from "../../db/pool.ts";
import type { SharedStateFeed } from "../../db/shared-state.ts";
import type { Clock } from "../../foundation/clock.ts";
import { Failure, type FieldError } from "../../foundation/failure.ts";
import { newId } from "../../foundation/ids.ts";
import type { Caller } from "../../http/caller.ts";
import { announceDirectoryChange, writeAudit } from "../../identity/store.ts";
import { onceInTransaction } from "../../references/once-in-transaction.ts";
import type { CustomerManaged } from "../remote/customer-managed.ts";
import { type Settings, saveSettings } from "./store.ts";
import type { SettingsRequest } from "./wire.ts";

export interface AuthorizationSettingsDeps {
  pool: Pool;
  clock: Clock;
  feed: SharedStateFeed;
  customerManaged: CustomerManaged;
}

export async function readAuthorizationSettings(
  { customerManaged }: AuthorizationSettingsDeps,
  { organizationId }: Caller,
): Promise<Settings> {
  const { settings } = await customerManaged.settings.read(organizationId);
  return settings;
}

/** Replaces the settings as a whole. When this is done, every process decides by them. */
export async function changeAuthorizationSettings(
  deps: AuthorizationSettingsDeps,
  { organizationId, clientId, claim }: Caller,
  request: SettingsRequest,
  address: string,
): Promise<Settings> {
  const { customerManaged, clock } = deps;
  const settings: Settings = {
    model: request.model,
    authorizationUrl: request.authorizationUrl ?? null,
    defaultAuthorizationDecision: request.defaultAuthorizationDecision ?? null,
  };
  const { isEnabled } = await customerManaged.settings.read(organizationId);
  if (settings.model === "CustomerManaged" && !isEnabled) {
    throw new Failure("UNAUTHORIZED", {
      message: "The customer-managed model is not enabled for this organization",
    });
  }
  await refuseBadValues(customerManaged, settings);
  const now = clock.now();
  await onceInTransaction(deps, claim, async (tx) => {
    await saveSettings(tx, organizationId, settings, now);
    await announceDirectoryChange(tx);
    await writeAudit(tx, {
      auditId: newId("aud", now.getTime()),
      organizationId,
      actor: clientId,
      action: "settings.card_authorization_changed",
      detail: { ...settings, authorizationUrl: originOf(settings.authorizationUrl) },
      at: now,
      address,
    });
  });
  await deps.feed.refresh();
  await customerManaged.warm(organizationId);
  // The next purchase may come to another process.
  await deps.feed.untilLearned();
  return settings;
}

/** What is kept for good: where purchases are decided. The rest of an address may hold a secret. */
const originOf = (url: string | null): string | null => (url === null ? null : new URL(url).origin);

async function refuseBadValues(
  { problemOfUrl }: CustomerManaged,
  { model, authorizationUrl, defaultAuthorizationDecision }: Settings,
): Promise<void> {
  const errors: FieldError[] = [];
  const isManaged = model === "CustomerManaged";
  const problem =
    authorizationUrl === null
      ? isManaged && "is needed in the customer-managed model"
      : await problemOfUrl(authorizationUrl);
  if (problem) errors.push({ field: "authorizationUrl", message: problem });
  if (isManaged && defaultAuthorizationDecision === null) {
    const message = "is needed in the customer-managed model";
    errors.push({ field: "defaultAuthorizationDecision", message });
  }
  if (errors.length > 0) throw new Failure("INVALID_REQUEST", { errors });
}
