import { setTimeout } from "node:timers/promises";
import { panSealContext } from "../cards/secrets.ts";
import { identitySealContext, imageSealContext } from "../customers/seals.ts";
import { totpSealContext } from "../dashboard/sign-in/totp.ts";
import type { Pool } from "../db/pool.ts";
import { LEARNED_AFTER_MS } from "../db/shared-state.ts";
import { transaction } from "../db/transaction.ts";
import type { Clock } from "../foundation/clock.ts";
import { newId } from "../foundation/ids.ts";
import { reseal, type SealedColumn } from "../keys/reseal.ts";
import type { Vault } from "../keys/vault.ts";
import { endpointSecretPlace } from "../webhooks/endpoints/secret.ts";
import { secretSealContext, uniqueKeySealContext } from "./directory.ts";
import { sandboxSeedSealContext, webhookSecretSealContext } from "./organizations.ts";
import { rotateSigningKey, signingKeySealContext } from "./signing-keys.ts";
import { announceKeyChange, writeAudit } from "./store.ts";

const OF_CLIENT = { table: "clients", key: ["client_id"] };
const OF_ORGANIZATION = { table: "organizations", key: ["organization_id"] };
const OF_ENDPOINT = {
  table: "webhook_endpoints",
  key: ["organization_id", "webhook_endpoint_id"],
  context: ([organizationId = "", endpointId = ""]: readonly string[]) =>
    endpointSecretPlace(organizationId, endpointId),
};

/** Every column that holds sealed values. */
export const sealedColumns: readonly SealedColumn[] = [
  { ...OF_CLIENT, column: "secret_sealed", context: ([id = ""]) => secretSealContext(id) },
  { ...OF_CLIENT, column: "previous_secret_sealed", context: ([id = ""]) => secretSealContext(id) },
  { ...OF_CLIENT, column: "unique_key_sealed", context: ([id = ""]) => uniqueKeySealContext(id) },
  {
    ...OF_ORGANIZATION,
    column: "webhook_secret_sealed",
    context: ([id = ""]) => webhookSecretSealContext(id),
  },
  {
    ...OF_ORGANIZATION,
    column: "sandbox_seed_sealed",
    context: ([id = ""]) => sandboxSeedSealContext(id),
  },
  {
    ...OF_ORGANIZATION,
    column: "previous_webhook_secret_sealed",
    context: ([id = ""]) => webhookSecretSealContext(id),
  },
  { ...OF_ENDPOINT, column: "secret_sealed" },
  { ...OF_ENDPOINT, column: "previous_secret_sealed" },
  {
    table: "signing_keys",
    key: ["key_id"],
    column: "private_key_sealed",
    context: ([id = ""]) => signingKeySealContext(id),
  },
  {
    table: "people",
    key: ["organization_id", "person_id"],
    column: "totp_secret_sealed",
    context: ([, personId = ""]) => totpSealContext({ personId }),
  },
  {
    table: "card_secrets",
    key: ["organization_id", "card_id"],
    column: "pan_sealed",
    context: ([organizationId = "", cardId = ""]) => panSealContext(organizationId, cardId),
  },
  {
    table: "kyc_verifications",
    key: ["organization_id", "kyc_token"],
    column: "identity_sealed",
    context: ([organizationId = "", kycToken = ""]) =>
      identitySealContext({ organizationId, kycToken }),
  },
  {
    table: "kyc_images",
    key: ["organization_id", "kyc_token", "side"],
    column: "image_sealed",
    context: ([organizationId = "", kycToken = "", side = ""]) =>
      imageSealContext({ organizationId, kycToken }, side),
    // Each may have several megabytes.
    rowsAtOnce: 2,
  },
];

export interface RotatedKeys {
  signingKeyId: string;
  sealVersion: number;
  resealed: number;
}

/** A process lacks the new master key, and could open nothing that a rotation seals. */
export class MasterKeyMissing extends Error {
  constructor() {
    super(
      "A running process does not have the new master key. Nothing was changed. Restart every process with the new and the old key, then try again.",
    );
  }
}

interface RotationDeps {
  pool: Pool;
  vault: Vault;
  clock: Clock;
}

/**
 * Makes new keys, which every process uses from then on, and seals what there is with the new one. The
 * hashes and the CVVs of cards keep the keys that made them.
 */
export async function rotateKeys(deps: RotationDeps, tokenTtlS: number): Promise<RotatedKeys> {
  const { pool, vault, clock } = deps;
  if (vault.hasOlderMaster) await expectMasterEverywhere(deps);
  const sealVersion = await vault.addKey();
  const audited = { organizationId: null, actor: "operator" };
  const signingKeyId = await transaction(pool, async (tx) => {
    const now = clock.now();
    const keyId = await rotateSigningKey(tx, vault, now, tokenTtlS);
    await announceKeyChange(tx);
    await writeAudit(tx, {
      ...audited,
      auditId: newId("aud", now.getTime()),
      action: "keys.rotated",
      detail: { signingKeyId: keyId, sealVersion },
      at: now,
    });
    return keyId;
  });

  let resealed = 0;
  for (const column of sealedColumns) resealed += await reseal(pool, vault, column);
  const doneAt = clock.now();
  await writeAudit(pool, {
    ...audited,
    auditId: newId("aud", doneAt.getTime()),
    action: "keys.resealed",
    detail: { sealVersion, resealed },
    at: doneAt,
  });
  return { signingKeyId, sealVersion, resealed };
}

/** Long enough for processes that are slow to hear of the question. */
const OBJECTION_MS = 3 * LEARNED_AFTER_MS;

async function expectMasterEverywhere({ pool, vault, clock }: RotationDeps): Promise<void> {
  await vault.askForMaster(clock.now());
  let isEverywhere = false;
  try {
    await announceKeyChange(pool);
    await setTimeout(OBJECTION_MS);
  } finally {
    isEverywhere = await vault.concludeAsking();
  }
  if (!isEverywhere) throw new MasterKeyMissing();
}
