import { randomBytes } from "node:crypto";

const COUNT = 10;
const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";
const HALF = 6;

/** Codes of 60 random bits each, written so that nobody misreads them. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: COUNT }, () => `${letters()}-${letters()}`);
}

const letters = (): string =>
  [...randomBytes(HALF)].map((byte) => ALPHABET[byte % ALPHABET.length]).join("");

/** A code as it was meant, however it was typed. */
export function readRecoveryCode(text: string): string {
  const plain = text
    .toLowerCase()
    .replace(/[^0-9a-z]/g, "")
    .replaceAll("o", "0")
    .replace(/[il]/g, "1");
  return `${plain.slice(0, HALF)}-${plain.slice(HALF)}`;
}
