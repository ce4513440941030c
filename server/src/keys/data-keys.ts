import { randomBytes } from "node:crypto";
import type { Connection, Pool } from "../db/pool.ts";
import { type MasterKeys, masterIdOf, unwrapKey, wrapKey } from "../foundation/keyring.ts";

const KEY_BYTES = 32;

/** Keys that compute rather than encrypt: hashes that find a card number or a token, and a CVV. */
export type DerivationPurpose = "pan-hash" | "cvv" | "token-hash";

/** What a data key is for. Keys of one purpose never serve another. */
export type KeyPurpose = "seal" | DerivationPurpose;

export const purposes: readonly KeyPurpose[] = ["seal", "pan-hash", "cvv", "token-hash"];

interface KeyName {
  purpose: KeyPurpose;
  version: number;
}

interface DataKey extends KeyName {
  key: Buffer;
  createdAt: Date;
  /** The master key that wraps it. */
  masterId: string;
}

/** All data keys, oldest first. Fails if the master keys are not those that wrap them. */
export async function openDataKeys(db: Connection, masters: MasterKeys): Promise<DataKey[]> {
  return (await readRows(db)).map(({ wrappedKey, ...name }) => ({
    ...name,
    key: unwrapKey(masters, wrappedKey, placeOf(name)),
    masterId: masterIdOf(wrappedKey),
  }));
}

/** The same check where there may be no schema yet, or an older one. Changes nothing. */
export async function proveMasterKeys(db: Connection, masters: MasterKeys): Promise<void> {
  const { rows } = await db.query("select to_regclass('data_keys') is not null as known");
  if (rows[0]?.known === true) await openDataKeys(db, masters);
}

/** In one statement: of processes that start at once with different master keys, one adds all of them. */
export async function addDataKeys(
  db: Pool,
  masters: MasterKeys,
  names: readonly KeyName[],
  now: Date,
): Promise<void> {
  await db.query(
    `insert into data_keys (purpose, version, wrapped_key, created_at)
     select *, $4 from unnest($1::text[], $2::integer[], $3::bytea[])
     on conflict do nothing`,
    [
      names.map(({ purpose }) => purpose),
      names.map(({ version }) => version),
      names.map((name) => wrapKey(masters, randomBytes(KEY_BYTES), placeOf(name))),
      now,
    ],
  );
}

/** Wraps all of them with the first master key. */
export async function rewrapDataKeys(db: Pool, masters: MasterKeys): Promise<void> {
  for (const { key, masterId, ...name } of await openDataKeys(db, masters)) {
    if (masterId === masters[0].id) continue;
    await db.query("update data_keys set wrapped_key = $3 where purpose = $1 and version = $2", [
      name.purpose,
      name.version,
      wrapKey(masters, key, placeOf(name)),
    ]);
  }
}

type Row = Pick<DataKey, "purpose" | "version" | "createdAt"> & { wrappedKey: Buffer };

async function readRows(db: Connection): Promise<Row[]> {
  const { rows } = await db.query<Row>(
    `select purpose, version, wrapped_key as "wrappedKey", created_at as "createdAt" from data_keys
      where purpose = any($1) order by version`,
    [purposes],
  );
  return rows;
}

const placeOf = ({ purpose, version }: KeyName): string => `data_keys/${purpose}/${version}`;
