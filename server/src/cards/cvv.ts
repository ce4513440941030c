import { type Cipher, createCipheriv } from "node:crypto";
import { sameSecret } from "../foundation/keyring.ts";

const CVV_DIGITS = 3;

/** What a CVV is derived from, besides the card's number. */
export interface CvvSource {
  /** The version of the keys that the card was issued with. */
  cvvKey: number;
  expiryMonth: number;
  expiryYear: number;
}

interface Expiry {
  month: number;
  /** All four digits. */
  year: number;
}

/**
 * The card verification value as Visa (CVV) and Mastercard (CVC) define it, so that a value derived
 * here is the one any HSM derives from the same keys. `keys` begins with CVK A and CVK B, 8 bytes each;
 * service code 000 gives the CVV2 that is printed on cards. The expiry goes in as YYMM.
 */
export function deriveCvv(keys: Buffer, pan: string, expiry: Expiry, serviceCode = "000"): string {
  if (keys.length < 16) throw new RangeError("The card verification keys have 16 bytes");
  if (!/^\d{13,19}$/.test(pan)) throw new RangeError("A card number has 13 to 19 digits");
  if (!/^\d{3}$/.test(serviceCode)) throw new RangeError("A service code has 3 digits");
  const data = Buffer.from((pan + yearAndMonth(expiry) + serviceCode).padEnd(32, "0"), "hex");
  const { single, triple } = ciphersOf(keys);

  const first = single.update(data.subarray(0, 8));
  const mixed = data.subarray(8).map((byte, index) => byte ^ (first[index] ?? 0));
  return decimalized(triple.update(mixed)).slice(0, CVV_DIGITS);
}

/** Takes the same time whatever is given. */
export function isSameCvv(given: string, derived: string): boolean {
  return sameSecret(given, derived);
}

function yearAndMonth({ month, year }: Expiry): string {
  if (!Number.isInteger(month) || month < 1 || month > 12) {
    throw new RangeError("An expiry month is from 1 to 12");
  }
  if (!Number.isInteger(year) || year < 1000 || year > 9999) {
    throw new RangeError("An expiry year has 4 digits");
  }
  return String(year % 100).padStart(2, "0") + String(month).padStart(2, "0");
}

interface Ciphers {
  single: Cipher;
  triple: Cipher;
}

/** Ciphers are kept: setting one up takes far longer than a block does, and ECB blocks are independent. */
const ciphers = new WeakMap<Buffer, Ciphers>();

function ciphersOf(keys: Buffer): Ciphers {
  const kept = ciphers.get(keys);
  if (kept !== undefined) return kept;
  const keyA = keys.subarray(0, 8);
  const keyB = keys.subarray(8, 16);
  const made = { single: tripleDes(keyA, keyA, keyA), triple: tripleDes(keyA, keyB, keyA) };
  ciphers.set(keys, made);
  return made;
}

/**
 * OpenSSL 3 has single DES only in its legacy provider, but with one key three times triple DES is
 * single DES: the second step undoes the first.
 */
const tripleDes = (...keys: [Buffer, Buffer, Buffer]): Cipher =>
  createCipheriv("des-ede3-ecb", Buffer.concat(keys), null).setAutoPadding(false);

/** The decimal digits of the block in hex, followed by its letters as A = 0 to F = 5. */
function decimalized(block: Buffer): string {
  let digits = "";
  let fromLetters = "";
  for (const character of block.toString("hex")) {
    if (character <= "9") digits += character;
    else fromLetters += Number.parseInt(character, 16) - 10;
  }
  return digits + fromLetters;
}
