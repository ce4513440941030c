import { commonWords } from "./common-words.ts";

const MIN_CHARACTERS = 12;
/** Far above any password; below what would keep the hash busy. */
export const MAX_PASSWORD_BYTES = 4_096;
const MIN_OWN_CHARACTERS = 5;
const MIN_NAME_LENGTH = 4;
const MAX_UNIT = 6;

/** What an attacker knows of a person, and tries first. */
export interface Known {
  email: string;
  organizationName: string;
}

/** What is wrong with a password, in words for whoever chose it; undefined: nothing. */
export function problemOfPassword(password: string, known: Known): string | undefined {
  if ([...password].length < MIN_CHARACTERS)
    return `must have at least ${MIN_CHARACTERS} characters`;
  if (Buffer.byteLength(password) > MAX_PASSWORD_BYTES) {
    return `must have at most ${MAX_PASSWORD_BYTES} bytes`;
  }
  const folded = fold(password);
  if (isRepetition(folded)) return "must not repeat the same few characters";
  const name = namesOf(known).find((each) => folded.includes(each));
  if (name !== undefined) {
    return "must not contain your e-mail address or your organization's name";
  }
  if (ownCharacters(folded) < MIN_OWN_CHARACTERS) {
    return "is too easy to guess: choose one that is not made of common words, sequences and digits";
  }
  return undefined;
}

const LEET: Record<string, string> = {
  "@": "a",
  "4": "a",
  "3": "e",
  "1": "i",
  "!": "i",
  "0": "o",
  $: "s",
  "5": "s",
  "7": "t",
};

/** Without the tricks that guessers know: case, accents, digits for letters. */
function fold(text: string): string {
  const plain = text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
  // Digits stand for letters only between letters; elsewhere they are digits.
  return plain.replace(/(?<=\p{L})[@431!0$57](?=\p{L})/gu, (sign) => LEET[sign] ?? sign);
}

function isRepetition(text: string): boolean {
  for (let unit = 1; unit <= MAX_UNIT; unit++) {
    const repeated = text
      .slice(0, unit)
      .repeat(Math.ceil(text.length / unit))
      .slice(0, text.length);
    if (repeated === text) return true;
  }
  return false;
}

function namesOf({ email, organizationName }: Known): string[] {
  const local = email.split("@")[0] ?? "";
  const words = organizationName.split(/[^\p{L}\p{N}]+/u);
  return [local, organizationName.replace(/\s+/g, ""), ...words]
    .map(fold)
    .filter((name) => name.length >= MIN_NAME_LENGTH);
}

const SEQUENCES = [
  "abcdefghijklmnopqrstuvwxyz",
  "01234567890123456789",
  "qwertyuiop",
  "asdfghjkl",
  "zxcvbnm",
  "qwertzuiop",
  "azertyuiop",
  "1qaz2wsx3edc4rfv5tgb6yhn7ujm",
].flatMap((row) => [row, [...row].reverse().join("")]);
const SEQUENCE_LENGTH = 4;

/** How many characters are left without common words, sequences, digits, signs and repetitions. */
function ownCharacters(folded: string): number {
  let rest = withoutSequences(folded);
  for (const word of commonWords) rest = rest.replaceAll(word, " ");
  const letters = rest.replace(/[^\p{L}]/gu, "");
  return new Set(letters).size < 3 ? 0 : letters.length;
}

function withoutSequences(text: string): string {
  let rest = text;
  for (let at = 0; at + SEQUENCE_LENGTH <= rest.length; ) {
    const length = sequenceAt(rest, at);
    if (length === 0) at += 1;
    else rest = `${rest.slice(0, at)} ${rest.slice(at + length)}`;
  }
  return rest;
}

function sequenceAt(text: string, at: number): number {
  for (let length = Math.min(text.length - at, 26); length >= SEQUENCE_LENGTH; length--) {
    const piece = text.slice(at, at + length);
    if (SEQUENCES.some((row) => row.includes(piece))) return length;
  }
  return 0;
}
