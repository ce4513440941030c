import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hash,
  type KeyObject,
  randomBytes,
  timingSafeEqual,
} from "node:crypto";

/**
 * Envelope encryption. A master key, which lives outside the database, wraps data keys; data keys,
 * which live in the database only wrapped, seal the secrets in its rows. Keys are `KeyObject`s
 * because these show nothing when something that holds them is printed or logged.
 */
type MasterKey = { readonly id: string; readonly key: KeyObject };

/** The first wraps; the others only unwrap what they wrapped when they were first. */
export type MasterKeys = readonly [MasterKey, ...MasterKey[]];

const CIPHER = "aes-256-gcm";
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const FORMAT = 1;
const SEALED_HEADER_BYTES = 1 + 4;
const MAX_VERSION = 0xffff_ffff;

/**
 * Reads `FLORIN_MASTER_KEY`: one base64 key, or several as `id:base64` separated by commas. A key
 * without an id is called `default`, so that it can still be named once a newer one precedes it.
 */
export function parseMasterKeys(text: string): MasterKeys {
  const [first, ...rest] = text.split(",").map(parseMasterKey);
  if (first === undefined) throw new Error("No master key given");
  const masters: MasterKeys = [first, ...rest];
  const ids = new Set(masters.map(({ id }) => id));
  if (ids.size !== masters.length) throw new Error("Two master keys have the same id");
  return masters;
}

// The messages name the place, not the content: a misplaced colon would make the content the key.
function parseMasterKey(entry: string, index: number): MasterKey {
  const [, id = "default", base64 = ""] =
    /^(?:([A-Za-z0-9_.-]{1,64}):)?([A-Za-z0-9+/]{43}=)$/.exec(entry.trim()) ?? [];
  const bytes = Buffer.from(base64, "base64");
  if (bytes.length !== KEY_BYTES) {
    throw new Error(`Master key ${index + 1} is not 32 bytes in base64, or its id is not a name`);
  }
  return { id, key: createSecretKey(bytes) };
}

export function wrapKey([current]: MasterKeys, plaintextKey: Buffer, aad: string): Buffer {
  const id = Buffer.from(current.id);
  return encrypt(current.key, Buffer.from([FORMAT, id.length, ...id]), plaintextKey, aad);
}

/** Told to whoever starts the service. A key that was damaged in the database would look the same. */
export class WrongMasterKey extends Error {
  constructor(problem = "is not what the keys in this database were wrapped with") {
    super(`FLORIN_MASTER_KEY ${problem}.`);
  }
}

export function unwrapKey(masters: MasterKeys, wrapped: Buffer, aad: string): Buffer {
  const id = masterIdOf(wrapped);
  const master = masters.find((candidate) => candidate.id === id);
  if (master === undefined) {
    throw new WrongMasterKey(
      `has no key called \`${id}\`, which the keys in this database were wrapped with`,
    );
  }
  try {
    return decrypt(master.key, 2 + Buffer.byteLength(id), wrapped, aad);
  } catch {
    throw new WrongMasterKey();
  }
}

/** Says which master wrapped a key, so that a rotation finds what is left to wrap again. */
export function masterIdOf(wrapped: Buffer): string {
  const idBytes = wrapped[1] ?? 0;
  checkLayout(wrapped, 2 + idBytes);
  return wrapped.toString("utf8", 2, 2 + idBytes);
}

/**
 * Seals with the current data key and opens with any. A sealed value is: format (1 byte), key
 * version (4), nonce (12), ciphertext, tag (16). The header and the `aad`, which is the row's id,
 * are authenticated: a value copied to another row does not open. Nonces are random, so a data key
 * should give way to the next long before 2^32 values.
 */
export class Keyring {
  readonly currentVersion: number;
  readonly #keys: ReadonlyMap<number, KeyObject>;
  readonly #currentKey: KeyObject;

  constructor(keys: ReadonlyMap<number, Buffer>, currentVersion: number) {
    this.#keys = new Map([...keys].map(([version, bytes]) => [version, dataKey(version, bytes)]));
    this.currentVersion = currentVersion;
    this.#currentKey = this.#keyOf(currentVersion);
  }

  seal(plaintext: Buffer | string, aad: string): Buffer {
    const header = Buffer.alloc(SEALED_HEADER_BYTES);
    header.writeUInt8(FORMAT, 0);
    header.writeUInt32BE(this.currentVersion, 1);
    return encrypt(this.#currentKey, header, plaintext, aad);
  }

  open(sealed: Buffer, aad: string): Buffer {
    return decrypt(this.#keyOf(this.versionOf(sealed)), SEALED_HEADER_BYTES, sealed, aad);
  }

  has(version: number): boolean {
    return this.#keys.has(version);
  }

  versionOf(sealed: Buffer): number {
    checkLayout(sealed, SEALED_HEADER_BYTES);
    return sealed.readUInt32BE(1);
  }

  needsRewrap(sealed: Buffer): boolean {
    return this.versionOf(sealed) !== this.currentVersion;
  }

  #keyOf(version: number): KeyObject {
    const key = this.#keys.get(version);
    if (key === undefined) throw new Error(`Unknown data key version ${version}`);
    return key;
  }
}

function dataKey(version: number, bytes: Buffer): KeyObject {
  if (!Number.isInteger(version) || version < 1 || version > MAX_VERSION) {
    throw new Error(`Data key version ${version} is not a positive 32-bit integer`);
  }
  if (bytes.length !== KEY_BYTES) throw new Error(`Data key ${version} is not 32 bytes long`);
  return createSecretKey(bytes);
}

function encrypt(key: KeyObject, header: Buffer, plaintext: Buffer | string, aad: string): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES });
  cipher.setAAD(Buffer.concat([header, Buffer.from(aad)]));
  const body = cipher.update(typeof plaintext === "string" ? Buffer.from(plaintext) : plaintext);
  return Buffer.concat([header, nonce, body, cipher.final(), cipher.getAuthTag()]);
}

function decrypt(key: KeyObject, headerBytes: number, sealed: Buffer, aad: string): Buffer {
  const bodyStart = headerBytes + NONCE_BYTES;
  const nonce = sealed.subarray(headerBytes, bodyStart);
  const decipher = createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.concat([sealed.subarray(0, headerBytes), Buffer.from(aad)]));
  decipher.setAuthTag(sealed.subarray(-TAG_BYTES));
  const body = decipher.update(sealed.subarray(bodyStart, -TAG_BYTES));
  try {
    return Buffer.concat([body, decipher.final()]);
  } catch {
    // The cause is left out on purpose: it may hold the decipher and what it has seen so far.
    throw new Error("Sealed value is not authentic: changed, or bound to another row or key");
  }
}

function checkLayout(sealed: Buffer, headerBytes: number): void {
  if (sealed.length < headerBytes + NONCE_BYTES + TAG_BYTES) {
    throw new Error("Sealed value is too short");
  }
  if (sealed[0] !== FORMAT) throw new Error(`Sealed value has unknown format ${sealed[0]}`);
}

/** A look-up key for a secret: equal secrets are found without the database knowing them. */
export function keyedHash(key: Buffer, text: string): string {
  return createHmac("sha256", key).update(text).digest("base64url");
}

/**
 * For a secret that is compared with every request, kept as bytes: constant time, but for its length, which
 * is the same for all of its kind and no secret.
 */
export function isSecretHeader(given: string, secret: Buffer): boolean {
  if (given.length !== secret.length) return false;
  // A loop without an early exit; making a buffer of a short text costs far more than reading it.
  let difference = 0;
  for (let i = 0; i < secret.length; i++) difference |= given.charCodeAt(i) ^ (secret[i] as number);
  return difference === 0;
}

/** Compares digests, so that neither the content nor the length of a secret shows in the time. */
export function sameSecret(a: string, b: string): boolean {
  return timingSafeEqual(digestOf(a), digestOf(b));
}

// UTF-16 keeps every string apart; UTF-8 would make unpaired surrogates equal.
function digestOf(text: string): Buffer {
  return Buffer.from(hash("sha256", Buffer.from(text, "utf16le"), "hex"), "latin1");
}

export function randomSecret(bytes: number): string {
  return randomBytes(bytes).toString("base64url");
}
