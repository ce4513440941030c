import type { Pool } from "../db/pool.ts";
import { LEARNED_AFTER_MS } from "../db/shared-state.ts";
import type { Clock } from "../foundation/clock.ts";
import { Keyring, type MasterKeys } from "../foundation/keyring.ts";
import {
  addDataKeys,
  type DerivationPurpose,
  type KeyPurpose,
  openDataKeys,
  purposes,
  rewrapDataKeys,
} from "./data-keys.ts";
import { answerProbe, layProbe, takeProbe } from "./master-probe.ts";

/** A key that computes, with the version to remember beside whatever it computed. */
export interface DerivationKey {
  version: number;
  key: Buffer;
  /** When every process has heard of it, and finds what it computed. */
  computesFrom: Date;
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
  readonly #clock: Clock;
  #keys: DataKeys;

  private constructor(pool: Pool, masters: MasterKeys, clock: Clock, keys: DataKeys) {
    this.#pool = pool;
    this.#masters = masters;
    this.#clock = clock;
    this.#keys = keys;
  }

  /** Opens the vault; the first process ever to do so makes its first keys. */
  static async open(pool: Pool, masters: MasterKeys, clock: Clock): Promise<Vault> {
    // Opened before any is added: what another master key wrapped would lock out the right one.
    const known = new Set((await openDataKeys(pool, masters)).map(({ purpose }) => purpose));
    const missing = purposes.filter((purpose) => !known.has(purpose));
    if (missing.length > 0) {
      const names = missing.map((purpose) => ({ purpose, version: 1 }));
      await addDataKeys(pool, masters, names, clock.now());
    }
    return new Vault(pool, masters, clock, await readKeys(pool, masters));
  }

  /** The key to compute with now: the newest that every process knows or, if all are too new, the oldest. */
  derivationKey(purpose: DerivationPurpose): DerivationKey {
    const now = this.#clock.now();
    const keys = this.#keys.derivation[purpose];
    const key = keys.findLast(({ computesFrom }) => computesFrom <= now) ?? keys[0];
    if (key === undefined) throw new Error(`The database has no ${purpose} key.`);
    return key;
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

  /** `context` names the row and column, so that a sealed value works nowhere else. */
  seal(plaintext: string | Buffer, context: string): Buffer {
    return this.#keys.keyring.seal(plaintext, context);
  }

  async unseal(sealed: Buffer, context: string): Promise<Buffer> {
    // Another process may have rotated the keys a moment ago.
    if (!this.#keys.keyring.has(this.#keys.keyring.versionOf(sealed))) await this.reload();
    return this.#keys.keyring.open(sealed, context);
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
  async addKey(): Promise<number> {
    await rewrapDataKeys(this.#pool, this.#masters);
    await this.reload();
    const { keyring, derivation } = this.#keys;
    const newest = (purpose: KeyPurpose): number =>
      purpose === "seal" ? keyring.currentVersion : (derivation[purpose].at(-1)?.version ?? 0);
    const names = purposes.map((purpose) => ({ purpose, version: newest(purpose) + 1 }));
    // The time counts from when it is there: by then the rest, which may take long, is done.
    await addDataKeys(this.#pool, this.#masters, names, this.#clock.now());
    await this.reload();
    return this.#keys.keyring.currentVersion;
  }
}

async function readKeys(pool: Pool, masters: MasterKeys): Promise<DataKeys> {
  await answerProbe(pool, masters);
  const all = await openDataKeys(pool, masters);
  const keysFor = (wanted: KeyPurpose): DerivationKey[] =>
    all
      .filter(({ purpose }) => purpose === wanted)
      .map(({ version, key, createdAt }) => ({
        version,
        key,
        computesFrom: new Date(createdAt.getTime() + LEARNED_AFTER_MS),
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
    masterIds: new Set(all.map(({ masterId }) => masterId)),
  };
}
