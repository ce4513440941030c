import type { Connection, Pool } from "../../db/pool.ts";
import type { SharedStateFeed } from "../../db/shared-state.ts";
import { transaction } from "../../db/transaction.ts";
import type { Clock } from "../../foundation/clock.ts";
import { Failure } from "../../foundation/failure.ts";
import { secretSealContext, uniqueKeySealContext } from "../../identity/directory.ts";
import { rotateCredentials, rotateWebhookSecret } from "../../identity/organizations.ts";
import type { Scope } from "../../identity/scopes.ts";
import { announceDirectoryChange } from "../../identity/store.ts";
import type { Vault } from "../../keys/vault.ts";
import { may } from "../access/roles.ts";
import { audit } from "../audit/service.ts";
import type { Session } from "../sessions/session.ts";
import {
  findShownClient,
  findSigningSecrets,
  type SecretTimes,
  type ShownClient,
  saveDefaultScopes,
  takeReveal,
} from "./store.ts";

const HOUR_MS = 3_600_000;

export interface CredentialDeps {
  pool: Pool;
  vault: Vault;
  clock: Clock;
  feed: SharedStateFeed;
}

export async function readCredentials(
  { pool, vault, clock }: CredentialDeps,
  organizationId: string,
) {
  const client = await clientOf(pool, organizationId);
  const signing = await findSigningSecrets(pool, organizationId);
  if (signing === undefined) throw new Failure("UNABLE_TO_LOCATE_RECORD");
  const { clientId } = client;
  const uniqueKey = await vault.unseal(client.uniqueKeySealed, uniqueKeySealContext(clientId));
  return {
    clientId,
    uniqueKey: uniqueKey.toString(),
    scopes: client.allowedScopes,
    defaultScopes: client.defaultScopes,
    secrets: secretsOf(client, clock.now()),
    revealable: client.isRevealable,
    signingSecrets: secretsOf(signing, clock.now()),
  };
}

/** The secrets that work now: the current one, and the one before it while both do. */
function secretsOf(times: SecretTimes, now: Date) {
  const current = { createdAt: times.secretCreatedAt.toISOString(), expiresAt: null };
  const { previousSecretUntil: until, previousSecretCreatedAt } = times;
  if (until === null || until <= now) return [current];
  const previous = {
    createdAt: previousSecretCreatedAt.toISOString(),
    expiresAt: until.toISOString(),
  };
  return [current, previous];
}

/** Shows the secret, once after it was made. */
export async function revealSecret(
  { pool, vault, clock }: CredentialDeps,
  by: Session,
  address: string,
): Promise<{ clientSecret: string }> {
  const { organizationId } = by;
  return transaction(pool, async (tx) => {
    const { clientId } = await clientOf(tx, organizationId);
    if (!(await takeReveal(tx, organizationId, clientId))) {
      throw new Failure("REQUEST_ERROR", {
        message: "The secret has been shown already: rotate it to get another",
      });
    }
    // Read after the row is locked, so that it is the secret whose turn was taken.
    const { secretSealed } = await clientOf(tx, organizationId);
    const secret = await vault.unseal(secretSealed, secretSealContext(clientId));
    await audit(tx, clock, {
      ...by,
      action: "credentials.revealed",
      subject: clientId,
      address,
    });
    return { clientSecret: secret.toString() };
  });
}

/** A new secret, which the answer shows; the old one works on for a while. */
export async function rotateSecret(
  deps: CredentialDeps,
  { organizationId, personId }: Session,
  overlapHours: number,
  address: string,
) {
  const by = { actor: personId, address };
  const rotated = await rotateCredentials(deps, organizationId, overlapHours * HOUR_MS, by);
  const [first] = rotated;
  if (first === undefined) throw new Failure("UNABLE_TO_LOCATE_RECORD");
  await learnAtOnce(deps);
  const { clientId, clientSecret, previousSecretUntil } = first;
  return { clientId, clientSecret, expiresPreviousAt: previousSecretUntil.toISOString() };
}

/** A new secret for signing what the organization is asked and told, likewise. Whoever signed up saw none before. */
export async function rotateSigningSecret(
  deps: CredentialDeps,
  { organizationId, personId }: Session,
  overlapHours: number,
  address: string,
) {
  const by = { actor: personId, address };
  const rotated = await rotateWebhookSecret(deps, organizationId, overlapHours * HOUR_MS, by);
  if (rotated === undefined) throw new Failure("UNABLE_TO_LOCATE_RECORD");
  await learnAtOnce(deps);
  const { webhookSecret, previousSecretUntil } = rotated;
  return { webhookSecret, expiresPreviousAt: previousSecretUntil.toISOString() };
}

/**
 * Whoever rotates may rely on every process at once. What cannot be learned of now is so later, by itself: the secret
 * must be shown in any case, because nobody can ask for it again.
 */
async function learnAtOnce({ feed }: CredentialDeps): Promise<void> {
  await feed.refresh().catch(() => undefined);
  await feed.untilLearned();
}

/** The scopes of a token whose request names none. */
export async function changeDefaultScopes(
  deps: CredentialDeps,
  by: Session,
  defaultScopes: readonly Scope[],
  address: string,
) {
  const { organizationId } = by;
  await transaction(deps.pool, async (tx) => {
    const client = await clientOf(tx, organizationId);
    const { clientId, allowedScopes } = client;
    if (!defaultScopes.every((scope) => allowedScopes.includes(scope))) {
      const message = "holds a scope that is not granted to this client";
      throw new Failure("INVALID_REQUEST", { errors: [{ field: "defaultScopes", message }] });
    }
    // Only those who may see whole card numbers may let tokens see them by default. A token request that names
    // the scope gets it all the same: whoever holds the client's secret can read card numbers.
    if (
      grants(defaultScopes, client.defaultScopes, "CardSecrets") &&
      !may(by.role, "cards.reveal")
    ) {
      throw new Failure("UNAUTHORIZED", {
        message: "Your role does not allow this: CardSecrets shows whole card numbers",
      });
    }
    await saveDefaultScopes(tx, organizationId, clientId, defaultScopes);
    await announceDirectoryChange(tx);
    await audit(tx, deps.clock, {
      ...by,
      action: "credentials.scopes_changed",
      subject: clientId,
      detail: { defaultScopes },
      address,
    });
  });
  await learnAtOnce(deps);
  return readCredentials(deps, organizationId);
}

const grants = (wanted: readonly Scope[], given: readonly Scope[], scope: Scope): boolean =>
  wanted.includes(scope) && !given.includes(scope);

async function clientOf(db: Connection, organizationId: string): Promise<ShownClient> {
  const client = await findShownClient(db, organizationId);
  return client ?? Promise.reject(new Failure("UNABLE_TO_LOCATE_RECORD"));
}
