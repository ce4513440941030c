import { randomBytes } from "node:crypto";
import type { Pool } from "../db/pool.ts";
import { Keyring, type MasterKeys, masterIdOf, unwrapKey, wrapKey } from "../foundation/keyring.ts";

const KEY_BYTES = 32;

/** What a data key is for. Keys of one purpose never serve another. */
export type KeyPurpose = "seal";

interface DataKeyRow {
  version: number;
  wrappedKey: Buffer;
}

/**
 * Encrypts what must be read again (client secrets, signing keys) with data keys that live in the
 * database, themselves wrapped by the master key of the environment.
 */
export class Vault {
  readonly #pool: Pool;
  readonly #masters: MasterKeys;
  #keyring: Keyring;

  private constructor(pool: Pool, masters: MasterKeys, keyring: Keyring) {
    this.#pool = pool;
    this.#masters = masters;
    this.#keyring = keyring;
  }

  /** Opens the vault; the first process ever to do so makes its first key. */
  static async open(pool: Pool, masters: MasterKeys, now: Date): Promise<Vault> {
    await addDataKey(pool, masters, "seal", 1, now);
    return new Vault(pool, masters, await readKeyring(pool, masters));
  }

  /** `place` names the row and column, so that a sealed value works nowhere else. */
  seal(plaintext: string | Buffer, place: string): Buffer {
    return this.#keyring.seal(plaintext, place);
  }

  async unseal(sealed: Buffer, place: string): Promise<Buffer> {
    // Another process may have rotated the keys a moment ago.
    if (!this.#keyring.has(this.#keyring.versionOf(sealed))) await this.reload();
    return this.#keyring.open(sealed, place);
  }

  needsReseal(sealed: Buffer): boolean {
    return this.#keyring.needsRewrap(sealed);
  }

  async reload(): Promise<void> {
    this.#keyring = await readKeyring(this.#pool, this.#masters);
  }

  /**
   * Adds a data key and seals with it from now on; what was sealed before stays readable. Older data keys
   * are wrapped by the current master key, so that its predecessor can be retired.
   */
  async addKey(now: Date): Promise<number> {
    await this.reload();
    await addDataKey(this.#pool, this.#masters, "seal", this.#keyring.currentVersion + 1, now);
    await rewrapDataKeys(this.#pool, this.#masters);
    await this.reload();
    return this.#keyring.currentVersion;
  }
}

async function rewrapDataKeys(db: Pool, masters: MasterKeys): Promise<void> {
  const { rows } = await db.query<DataKeyRow & { purpose: KeyPurpose }>(
    `select purpose, version, wrapped_key as "wrappedKey" from data_keys`,
  );
  for (const { purpose, version, wrappedKey } of rows) {
    if (masterIdOf(wrappedKey) === masters[0].id) continue;
    const place = keyPlace(purpose, version);
    const rewrapped = wrapKey(masters, unwrapKey(masters, wrappedKey, place), place);
    await db.query("update data_keys set wrapped_key = $3 where purpose = $1 and version = $2", [
      purpose,
      version,
      rewrapped,
    ]);
  }
}

async function addDataKey(
  db: Pool,
  masters: MasterKeys,
  purpose: KeyPurpose,
  version: number,
  now: Date,
): Promise<void> {
  const wrapped = wrapKey(masters, randomBytes(KEY_BYTES), keyPlace(purpose, version));
  await db.query(
    `insert into data_keys (purpose, version, wrapped_key, created_at) values ($1, $2, $3, $4)
     on conflict do nothing`,
    [purpose, version, wrapped, now],
  );
}

async function readKeyring(pool: Pool, masters: MasterKeys): Promise<Keyring> {
  const { rows } = await pool.query<DataKeyRow>(
    `select version, wrapped_key as "wrappedKey" from data_keys where purpose = 'seal' order by version`,
  );
  const keys = rows.map(
    ({ version, wrappedKey }) =>
      [version, unwrapKey(masters, wrappedKey, keyPlace("seal", version))] as const,
  );
  const newest = rows.at(-1);
  if (newest === undefined) throw new Error("The database has no data keys.");
  return new Keyring(new Map(keys), newest.version);
}

const keyPlace = (purpose: KeyPurpose, version: number): string =>
  `data_keys/${purpose}/${version}`;
