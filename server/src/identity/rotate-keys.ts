import type pg from "pg";
import type { Pool } from "../db/pool.ts";
import { transaction } from "../db/transaction.ts";
import type { Clock } from "../foundation/clock.ts";
import { newId } from "../foundation/ids.ts";
import type { Vault } from "../keys/vault.ts";
import { secretPlace, uniqueKeyPlace } from "./directory.ts";
import { sandboxSeedPlace, webhookSecretPlace } from "./organizations.ts";
import { rotateSigningKey, signingKeyPlace } from "./signing-keys.ts";
import { announceKeyChange, writeAudit } from "./store.ts";

/** Every column that holds a sealed value, with the row it is bound to. */
const SEALED = [
  { table: "clients", key: "client_id", column: "secret_sealed", place: secretPlace },
  { table: "clients", key: "client_id", column: "previous_secret_sealed", place: secretPlace },
  { table: "clients", key: "client_id", column: "unique_key_sealed", place: uniqueKeyPlace },
  {
    table: "organizations",
    key: "organization_id",
    column: "webhook_secret_sealed",
    place: webhookSecretPlace,
  },
  {
    table: "organizations",
    key: "organization_id",
    column: "sandbox_seed_sealed",
    place: sandboxSeedPlace,
  },
  { table: "signing_keys", key: "key_id", column: "private_key_sealed", place: signingKeyPlace },
] as const;

export interface RotatedKeys {
  signingKeyId: string;
  sealVersion: number;
  resealed: number;
}

/** Makes a new data key and a new signing key, and seals what there is with the new data key. */
export async function rotateKeys(
  { pool, vault, clock }: { pool: Pool; vault: Vault; clock: Clock },
  tokenTtlS: number,
): Promise<RotatedKeys> {
  const now = clock.now();
  const sealVersion = await vault.addKey(now);
  return transaction(pool, async (tx) => {
    let resealed = 0;
    for (const sealed of SEALED) resealed += await reseal(tx, vault, sealed);
    const signingKeyId = await rotateSigningKey(tx, vault, now, tokenTtlS);
    await announceKeyChange(tx);
    await writeAudit(tx, {
      auditId: newId("aud", now.getTime()),
      organizationId: null,
      actor: "operator",
      action: "keys.rotated",
      detail: { signingKeyId, sealVersion, resealed },
      at: now,
    });
    return { signingKeyId, sealVersion, resealed };
  });
}

async function reseal(
  tx: pg.PoolClient,
  vault: Vault,
  { table, key, column, place }: (typeof SEALED)[number],
): Promise<number> {
  const { rows } = await tx.query<{ id: string; sealed: Buffer }>(
    `select ${key} as id, ${column} as sealed from ${table} where ${column} is not null for no key update`,
  );
  const old = rows.filter(({ sealed }) => vault.needsReseal(sealed));
  for (const { id, sealed } of old) {
    const again = vault.seal(await vault.unseal(sealed, place(id)), place(id));
    await tx.query(`update ${table} set ${column} = $2 where ${key} = $1`, [id, again]);
  }
  return old.length;
}
