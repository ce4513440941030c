import { randomBytes } from "node:crypto";
import type { Pool } from "../db/pool.ts";
import { Keyring, type MasterKeys, masterIdOf, unwrapKey, wrapKey } from "../foundation/keyring.ts";
import { answerProbe, layProbe, takeProbe } from "./master-probe.ts";

const KEY_BYTES = 32;

/** Keys that compute rather than encrypt: hashes that find a card number or a token, and a CVV. */
export type DerivationPurpose = "pan-hash" | "cvv" | "token-hash";

/** What a data key is for. Keys of one purpose never serve another. */
type KeyPurpose = "seal" | DerivationPurpose;

const purposes: readonly KeyPurpose[] = ["seal", "pan-hash", "cvv", "token-hash"];

/** A key that computes, with the version to remember beside whatever it computed. */
export interface DerivationKey {
  version: number;
  key: Buffer;
}

interface DataKeyRow {
  purpose: KeyPurpose;
  version: number;
  wrappedKey: Buffer;
}

interface DataKeys {
  keyring: Keyring;
  /** Oldest first. */
  derivation: Record<DerivationPurpose, DerivationKey[]>;
  /** The master keys that wrap them. */
  masterIds: ReadonlySet<string>;
}

/**
 * Encrypts what must be read again (client secrets, signing keys, card numbers) with data keys that live
 * in the database, themselves wrapped by the master key of the environment.
 */
export class Vault {
  readonly #pool: Pool;
  readonly #masters: MasterKeys;
  #keys: DataKeys;

  private constructor(pool: Pool, masters: MasterKeys, keys: DataKeys) {
    this.#pool = pool;
    this.#masters = masters;
    this.#keys = keys;
  }

  /** Opens the vault; the first process ever to do so makes its first keys. */
  static async open(pool: Pool, masters: MasterKeys, now: Date): Promise<Vault> {
    const { rows } = await pool.query<{ purpose: KeyPurpose }>("select purpose from data_keys");
    const known = new Set(rows.map(({ purpose }) => purpose));
    const missing = purposes.filter((purpose) => !known.has(purpose));
    for (const purpose of missing) await addDataKey(pool, masters, purpose, 1, now);
    return new Vault(pool, masters, await readKeys(pool, masters));
  }

  /** The key to compute with now. */
  derivationKey(purpose: DerivationPurpose): DerivationKey {
    const newest = this.#keys.derivation[purpose].at(-1);
    if (newest === undefined) throw new Error(`The database has no ${purpose} key.`);
    return newest;
  }

  /** The key that something was computed with. */
  async derivationKeyOf(purpose: DerivationPurpose, version: number): Promise<DerivationKey> {
    const find = () => this.#keys.derivation[purpose].find((key) => key.version === version);
    // Another process may have rotated the keys a moment ago.
    if (find() === undefined) await this.reload();
    const found = find();
    if (found === undefined) throw new Error(`Unknown ${purpose} key version ${version}`);
    return found;
  }

  /** All keys something may have been computed with, newest first: a look-up tries each. */
  derivationKeys(purpose: DerivationPurpose): DerivationKey[] {
    return this.#keys.derivation[purpose].toReversed();
  }

  /** `place` names the row and column, so that a sealed value works nowhere else. */
  seal(plaintext: string | Buffer, place: string): Buffer {
    return this.#keys.keyring.seal(plaintext, place);
  }

  async unseal(sealed: Buffer, place: string): Promise<Buffer> {
    // Another process may have rotated the keys a moment ago.
    if (!this.#keys.keyring.has(this.#keys.keyring.versionOf(sealed))) await this.reload();
    return this.#keys.keyring.open(sealed, place);
  }

  needsReseal(sealed: Buffer): boolean {
    return this.#keys.keyring.needsRewrap(sealed);
  }

  async reload(): Promise<void> {
    this.#keys = await readKeys(this.#pool, this.#masters);
  }

  /** Whether some data keys are wrapped by another master key than the first. */
  get hasOlderMaster(): boolean {
    return [...this.#keys.masterIds].some((id) => id !== this.#masters[0].id);
  }

  /** Asks whoever reads the keys from now on whether they have the first master key. */
  askForMaster(now: Date): Promise<void> {
    return layProbe(this.#pool, this.#masters, now);
  }

  /** Whether everybody had it. */
  concludeAsking(): Promise<boolean> {
    return takeProbe(this.#pool);
  }

  /**
   * Adds a data key and seals with it from now on; what was sealed before stays readable. Older data keys
   * are wrapped by the current master key, so that its predecessor can be retired.
   */
  async addKey(now: Date): Promise<number> {
    await this.reload();
    const { keyring, derivation } = this.#keys;
    const add = (purpose: KeyPurpose, current: number) =>
      addDataKey(this.#pool, this.#masters, purpose, current + 1, now);
    await add("seal", keyring.currentVersion);
    for (const [purpose, keys] of Object.entries(derivation)) {
      await add(purpose as DerivationPurpose, keys.at(-1)?.version ?? 0);
    }
    await rewrapDataKeys(this.#pool, this.#masters);
    await this.reload();
    return this.#keys.keyring.currentVersion;
  }
}

async function rewrapDataKeys(db: Pool, masters: MasterKeys): Promise<void> {
  for (const { purpose, version, wrappedKey } of await readRows(db)) {
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

async function readRows(db: Pool): Promise<DataKeyRow[]> {
  const { rows } = await db.query<DataKeyRow>(
    `select purpose, version, wrapped_key as "wrappedKey" from data_keys
      where purpose = any($1) order by version`,
    [purposes],
  );
  return rows;
}

async function readKeys(pool: Pool, masters: MasterKeys): Promise<DataKeys> {
  await answerProbe(pool, masters);
  const rows = await readRows(pool);
  const keysFor = (wanted: KeyPurpose): DerivationKey[] =>
    rows
      .filter(({ purpose }) => purpose === wanted)
      .map(({ version, wrappedKey }) => ({
        version,
        key: unwrapKey(masters, wrappedKey, keyPlace(wanted, version)),
      }));
  const sealing = keysFor("seal");
  const newest = sealing.at(-1);
  if (newest === undefined) throw new Error("The database has no data keys.");
  return {
    keyring: new Keyring(
      new Map(sealing.map(({ version, key }) => [version, key])),
      newest.version,
    ),
    derivation: {
      "pan-hash": keysFor("pan-hash"),
      cvv: keysFor("cvv"),
      "token-hash": keysFor("token-hash"),
    },
    masterIds: new Set(rows.map(({ wrappedKey }) => masterIdOf(wrappedKey))),
  };
}

const keyPlace = (purpose: KeyPurpose, version: number): string =>
  `data_keys/${purpose}/${version}`;
