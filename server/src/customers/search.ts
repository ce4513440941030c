import { nameParts } from "./names.ts";

/** A folded word may be many times as long as what was written; an index takes only so much. */
const MAX_WORD_LENGTH = 64;
const MAX_WORDS = 20;

/** The words that a name is found by: case, accents and punctuation do not matter. */
export function searchWords(...names: readonly string[]): string[] {
  const words = names.flatMap(nameParts).map((word) => cut(word));
  return [...new Set(words)].slice(0, MAX_WORDS);
}

/** The same as one text, in which the beginning of a word is a space and what follows. */
export function searchName(words: readonly string[]): string {
  return words.map((word) => ` ${word}`).join("");
}

/** Cuts between characters, never inside a surrogate pair: the database would not take half of one. */
function cut(word: string): string {
  return word.length <= MAX_WORD_LENGTH ? word : [...word].slice(0, MAX_WORD_LENGTH).join("");
}
