import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type JsonWebKey,
  type KeyObject,
} from "node:crypto";
import type { Connection, Pool } from "../db/pool.ts";
import { LEARNED_AFTER_MS } from "../db/shared-state.ts";
import { transaction } from "../db/transaction.ts";
import type { Clock } from "../foundation/clock.ts";
import { randomSecret } from "../foundation/keyring.ts";
import type { Vault } from "../keys/vault.ts";

interface SigningKeyRow {
  keyId: string;
  publicJwk: JsonWebKey;
  privateKeySealed: Buffer;
  createdAt: Date;
  retiredAt: Date | null;
}

export interface SigningKey {
  keyId: string;
  /** When every process has heard of it. */
  signsFrom: Date;
  /** When the last token that it signed has expired; null while it signs. */
  usableUntil: Date | null;
  publicJwk: JsonWebKey;
  publicKey: KeyObject;
  privateKey: KeyObject;
}

/** Serializes the making of keys among processes that start at once. */
const SIGNING_KEY_LOCK = 4_000_000_003;

const RELOAD_PAUSE_MS = 500;

/** The ES256 keys of the token server: one signs, all that are or may still be in use verify. */
export class SigningKeys {
  readonly #pool: Pool;
  readonly #vault: Vault;
  readonly #clock: Clock;
  readonly #tokenTtlS: number;
  #keys: SigningKey[] = [];
  /** When the reading began that the keys are from. */
  #readAtMs = Number.NEGATIVE_INFINITY;
  /** The reading that began last, while it is under way. */
  #reading: Promise<void> | undefined;

  constructor(deps: { pool: Pool; vault: Vault; clock: Clock; tokenTtlS: number }) {
    this.#pool = deps.pool;
    this.#vault = deps.vault;
    this.#clock = deps.clock;
    this.#tokenTtlS = deps.tokenTtlS;
  }

  /** The key that signs new tokens: the newest that every process knows or, if all are too new, the oldest. */
  get current(): SigningKey {
    const now = this.#clock.now();
    const key = this.#keys.find(({ signsFrom }) => signsFrom <= now) ?? this.#keys.at(-1);
    if (key === undefined) throw new Error("The signing keys are not loaded.");
    return key;
  }

  get published(): readonly SigningKey[] {
    const nowMs = this.#clock.nowMs();
    return this.#keys.filter(
      ({ usableUntil }) => usableUntil === null || usableUntil.getTime() > nowMs,
    );
  }

  async find(keyId: string): Promise<SigningKey | undefined> {
    const find = () => this.published.find((key) => key.keyId === keyId);
    const known = find();
    if (known !== undefined) return known;
    // Another process may have rotated a moment ago; forged key ids must not cost a query each.
    const hasJustRead = performance.now() - this.#readAtMs < RELOAD_PAUSE_MS;
    if (this.#reading === undefined && hasJustRead) return undefined;
    await (this.#reading ?? this.reload());
    return find();
  }

  reload(): Promise<void> {
    const reading = this.#read().finally(() => {
      if (this.#reading === reading) this.#reading = undefined;
    });
    this.#reading = reading;
    return reading;
  }

  async #read(): Promise<void> {
    const begunAtMs = performance.now();
    const { rows } = await this.#pool.query<SigningKeyRow>(
      `select key_id as "keyId", public_jwk as "publicJwk", private_key_sealed as "privateKeySealed",
              created_at as "createdAt", retired_at as "retiredAt" from signing_keys
        order by retired_at desc nulls first, created_at desc, key_id desc`,
    );
    const keys = await Promise.all(rows.map((row) => this.#open(row)));
    // Two readings may overtake each other; the one that began later knows more.
    if (begunAtMs < this.#readAtMs) return;
    this.#readAtMs = begunAtMs;
    this.#keys = keys;
  }

  async #open(row: SigningKeyRow): Promise<SigningKey> {
    const der = await this.#vault.unseal(row.privateKeySealed, signingKeySealContext(row.keyId));
    const privateKey = createPrivateKey({ key: der, format: "der", type: "pkcs8" });
    return {
      keyId: row.keyId,
      signsFrom: learnedAt(row.createdAt),
      usableUntil:
        row.retiredAt === null ? null : new Date(row.retiredAt.getTime() + this.#tokenTtlS * 1000),
      publicJwk: row.publicJwk,
      publicKey: createPublicKey(privateKey),
      privateKey,
    };
  }
}

/** Makes the first signing key, unless another process was faster. */
export async function ensureSigningKey(pool: Pool, vault: Vault, clock: Clock): Promise<void> {
  await transaction(pool, async (tx) => {
    await tx.query("select pg_advisory_xact_lock($1)", [SIGNING_KEY_LOCK]);
    const { rowCount } = await tx.query("select from signing_keys limit 1");
    if (rowCount === 0) await insertSigningKey(tx, vault, clock.now());
  });
}

/** Adds a key that signs once every process knows it, and drops those whose last tokens have expired. */
export async function rotateSigningKey(
  tx: Connection,
  vault: Vault,
  now: Date,
  tokenTtlS: number,
): Promise<string> {
  const lastUse = new Date(now.getTime() - (tokenTtlS + 3600) * 1000);
  await tx.query("delete from signing_keys where retired_at < $1", [lastUse]);
  await tx.query("update signing_keys set retired_at = $1 where retired_at is null", [
    learnedAt(now),
  ]);
  return insertSigningKey(tx, vault, now);
}

const learnedAt = (madeAt: Date): Date => new Date(madeAt.getTime() + LEARNED_AFTER_MS);

async function insertSigningKey(tx: Connection, vault: Vault, now: Date): Promise<string> {
  const keyId = randomSecret(12);
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const publicJwk = {
    ...publicKey.export({ format: "jwk" }),
    kid: keyId,
    alg: "ES256",
    use: "sig",
  };
  const der = privateKey.export({ format: "der", type: "pkcs8" });
  await tx.query(
    `insert into signing_keys (key_id, public_jwk, private_key_sealed, created_at) values ($1, $2, $3, $4)`,
    [keyId, JSON.stringify(publicJwk), vault.seal(der, signingKeySealContext(keyId)), now],
  );
  return keyId;
}

export const signingKeySealContext = (keyId: string): string => `signing_keys/${keyId}/private_key`;
