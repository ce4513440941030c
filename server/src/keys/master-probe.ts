import { randomBytes } from "node:crypto";
import { isDenied, isReadOnly } from "../db/errors.ts";
import type { Pool } from "../db/pool.ts";
import { type MasterKeys, unwrapKey, wrapKey } from "../foundation/keyring.ts";

/**
 * Before a new master key is used, all processes are asked whether they have it. The question is a row among
 * the data keys, wrapped by the new master key; a process that reads them and cannot open it deletes it.
 */
const PROBE = "probe";

const CONTEXT = `data_keys/${PROBE}`;
const PROBE_BYTES = 32;

export async function layProbe(db: Pool, masters: MasterKeys, now: Date): Promise<void> {
  await db.query(
    `insert into data_keys (purpose, version, wrapped_key, created_at) values ($1, 1, $2, $3)
     on conflict (purpose, version) do update set wrapped_key = excluded.wrapped_key`,
    [PROBE, wrapKey(masters, randomBytes(PROBE_BYTES), CONTEXT), now],
  );
}

/** Withdraws the question. False if a process had deleted it. */
export async function takeProbe(db: Pool): Promise<boolean> {
  const { rowCount } = await db.query("delete from data_keys where purpose = $1", [PROBE]);
  return rowCount === 1;
}

export async function answerProbe(db: Pool, masters: MasterKeys): Promise<void> {
  const { rows } = await db.query<{ wrappedKey: Buffer }>(
    `select wrapped_key as "wrappedKey" from data_keys where purpose = $1`,
    [PROBE],
  );
  if (rows.every(({ wrappedKey }) => canOpen(masters, wrappedKey))) return;
  await takeProbe(db).catch((error: unknown) => {
    // A process that may only read seals nothing either, so its answer does not matter.
    if (!isDenied(error) && !isReadOnly(error)) throw error;
  });
}

function canOpen(masters: MasterKeys, probe: Buffer): boolean {
  try {
    unwrapKey(masters, probe, CONTEXT);
    return true;
  } catch {
    return false;
  }
}
