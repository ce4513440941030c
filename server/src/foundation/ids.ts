import { randomFillSync } from "node:crypto";

export type IdPrefix =
  | "cus"
  | "kyc"
  | "card"
  | "txn"
  | "evt"
  | "wal"
  | "org"
  | "whe"
  | "req"
  | "chg"
  | "acc"
  | "jrn"
  | "cli"
  | "tok"
  | "aud"
  | "per"
  | "ses"
  | "lnk"
  | "mail";

// Crockford's alphabet: no i, l, o, u, and in ASCII order, so that ids sort as their bits do.
const alphabet = [..."0123456789abcdefghjkmnpqrstvwxyz"];
const pairs = alphabet.flatMap((high) => alphabet.map((low) => high + low));
const MAX_TIMESTAMP_MS = 2 ** 48 - 1;
const TIME_CHARACTERS = 10;
const RANDOM_CHARACTERS = 16;

/** A new id: the prefix, then 48 bits of time and 80 random bits as 26 characters. */
export function newId(prefix: IdPrefix, atMs: number): string {
  return `${prefix}_${timestampText(atMs)}${randomText()}`;
}

/** Where the ids of a moment begin: those made before it are smaller, all others are not. */
export function firstId(prefix: IdPrefix, atMs: number): string {
  const bounded = Math.min(Math.max(Math.floor(atMs), 0), MAX_TIMESTAMP_MS);
  return `${prefix}_${timestampText(bounded)}${"0".repeat(RANDOM_CHARACTERS)}`;
}

/** When an id was made. */
export function timeOf(id: string): Date {
  const start = id.indexOf("_") + 1;
  let atMs = 0;
  for (let at = start; at < start + TIME_CHARACTERS; at++) {
    const value = alphabet.indexOf(id[at] ?? "");
    if (value < 0) throw new RangeError(`No id with a time: ${id}`);
    atMs = atMs * 32 + value;
  }
  return new Date(atMs);
}

export function isId(prefix: IdPrefix, text: string): boolean {
  return idPattern(prefix).test(text);
}

const patterns = new Map<IdPrefix, RegExp>();

/** Matches all ids of the kind, and some that are never made: the first of the 26 characters is below 8. */
export function idPattern(prefix: IdPrefix): RegExp {
  let pattern = patterns.get(prefix);
  if (pattern === undefined) {
    pattern = new RegExp(`^${prefix}_[0-9a-hjkmnp-tv-z]{26}$`);
    patterns.set(prefix, pattern);
  }
  return pattern;
}

// Many ids are made within one millisecond, and their first ten characters are the same.
let lastTimestampMs = -1;
let lastTimestampText = "";

function timestampText(atMs: number): string {
  if (atMs !== lastTimestampMs) {
    if (!Number.isInteger(atMs) || atMs < 0 || atMs > MAX_TIMESTAMP_MS) {
      throw new RangeError(`No timestamp in milliseconds: ${atMs}`);
    }
    lastTimestampText =
      pair(atMs / 2 ** 40) +
      pair(atMs / 2 ** 30) +
      pair(atMs / 2 ** 20) +
      pair(atMs / 2 ** 10) +
      pair(atMs);
    lastTimestampMs = atMs;
  }
  return lastTimestampText;
}

// One call for many ids, because a call costs far more than the bytes it returns.
const pool = new Uint16Array(8 * 1024);
let poolNext = pool.length;

function randomText(): string {
  if (poolNext === pool.length) {
    randomFillSync(pool);
    poolNext = 0;
  }
  const at = poolNext;
  poolNext += 8;
  return (
    randomPair(at) +
    randomPair(at + 1) +
    randomPair(at + 2) +
    randomPair(at + 3) +
    randomPair(at + 4) +
    randomPair(at + 5) +
    randomPair(at + 6) +
    randomPair(at + 7)
  );
}

function randomPair(at: number): string {
  return pair(pool[at] ?? 0);
}

/** The two characters for the lowest ten bits of the number's integer part. */
function pair(value: number): string {
  return pairs[Math.floor(value) & 1023] ?? "";
}
