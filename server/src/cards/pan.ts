import { randomInt } from "node:crypto";

/** Gives a whole number from 0 to `below` - 1, each as likely as any other. */
export type Draw = (below: number) => number;

/**
 * A card number: the programme's BIN, a random account number and the Luhn digit. The account number
 * is drawn at once: a digit taken as a random byte modulo 10 would favour the low ones.
 */
export function newPan(bin: string, length = 16, draw: Draw = randomInt): string {
  if (!/^\d{6,8}$/.test(bin)) throw new RangeError("A BIN has 6 to 8 digits");
  if (!Number.isInteger(length) || length < 16 || length > 19) {
    throw new RangeError("A card number has 16 to 19 digits");
  }
  const accountDigits = length - bin.length - 1;
  const account = String(draw(10 ** accountDigits)).padStart(accountDigits, "0");
  return bin + account + luhnDigit(bin + account);
}

/** The check digit to append to these digits. */
export function luhnDigit(payload: string): string {
  return String((10 - (luhnSum(`${payload}0`) % 10)) % 10);
}

export function isLuhnValid(digits: string): boolean {
  return /^\d{2,}$/.test(digits) && luhnSum(digits) % 10 === 0;
}

/** All that may be shown of a card number: the first six and the last four digits. */
export function maskPan(pan: string): string {
  if (!/^\d{13,19}$/.test(pan)) throw new RangeError("A card number has 13 to 19 digits");
  return pan.slice(0, 6) + "*".repeat(pan.length - 10) + pan.slice(-4);
}

/** Every second digit from the right, after the check digit, counts double, less 9 when above 9. */
function luhnSum(digits: string): number {
  return [...digits].reverse().reduce((sum, digit, index) => {
    const weighted = Number(digit) * (index % 2 === 0 ? 1 : 2);
    return sum + (weighted > 9 ? weighted - 9 : weighted);
  }, 0);
}
