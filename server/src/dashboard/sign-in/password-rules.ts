import { commonWords } from "./common-words.ts";
import { withoutSequences } from "./sequences.ts";

const MIN_CHARACTERS = 12;
/** Far above any password; below what would keep the hash busy. */
export const MAX_PASSWORD_BYTES = 4_096;
/** Whatever comes behind so much makes nothing easier to guess, and would only take long to look at. */
const JUDGED_LENGTH = 200;
const MIN_OWN_CHARACTERS = 5;
const MIN_NAME_LENGTH = 4;
const MIN_OWN_NAME_LENGTH = 3;
const MAX_UNIT = 6;

/** What an attacker knows of a person, and tries first. */
export interface Known {
  email: string;
  name: string;
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
  // Signs in between make nothing harder to guess.
  const head = password.slice(0, JUDGED_LENGTH);
  const joined = head.replace(/[^\p{L}\p{M}\p{N}]/gu, "");
  if (Math.min(...[head, joined].map((text) => ownCharacters(text, known))) < MIN_OWN_CHARACTERS) {
    return "is too easy to guess: choose one that is not made of common words, names, sequences and digits";
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

const UMLAUTS: Record<string, string> = { ä: "ae", ö: "oe", ü: "ue" };

/** A few characters and the same again, however often. */
const REPEATED = /(.{2,20}?)\1+/gsu;

/** Without the tricks that guessers know: case, accents, digits for letters. */
const fold = (text: string): string => withLetters(plain(text));

const plain = (text: string): string =>
  text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase().replaceAll("ß", "ss");

/** Digits stand for letters only between letters; elsewhere they are digits. */
const withLetters = (text: string): string =>
  text.replace(/(?<=\p{L})[@431!0$57](?=\p{L})/gu, (sign) => LEET[sign] ?? sign);

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

/** The parts of a person's name; a password must have more than these. */
function ownNames({ name }: Known): string[] {
  const spelledOut = name.toLowerCase().replace(/[äöü]/g, (letter) => UMLAUTS[letter] ?? letter);
  return [name, spelledOut]
    .flatMap((each) => each.split(/[^\p{L}\p{N}]+/u))
    .map(fold)
    .filter((each) => each.length >= MIN_OWN_NAME_LENGTH)
    .sort((a, b) => b.length - a.length);
}

/** How many characters are left without names, common words, sequences, digits, signs and repetitions. */
function ownCharacters(password: string, known: Known): number {
  if (isOneWord(withoutSequences(fold(password)))) return 0;
  const words = [...ownNames(known), ...commonWords];
  // Words go first, so that a sequence cannot begin with the end of one. Digits that belong to a sequence
  // stand for no letters.
  const bare = (text: string): string =>
    withoutSequences(words.reduce((rest, word) => rest.replaceAll(word, " "), text));
  const rest = bare(withLetters(bare(plain(password))));
  const letters = rest.replace(REPEATED, "$1").replace(/[^\p{L}]/gu, "");
  return new Set(letters).size < 3 ? 0 : letters.length;
}

/** Whether there is one short word, and beside it no digits but a year. */
const isOneWord = (text: string): boolean =>
  /^[^\p{L}\p{N}]*\p{L}{1,9}[^\p{L}\p{N}]*(?:(?:19|20)\d\d)?[^\p{L}\p{N}]*$/u.test(text);
