import { nameParts } from "../../customers/names.ts";

const MAX_LENGTH = 26;

/** For names in which there is nothing that can be embossed. */
const NOBODY = "CARDHOLDER";

/**
 * A name as it can be embossed: capitals A to Z, spaces, dots, hyphens and apostrophes, 26 at most.
 * Letters lose their accents; what is no Latin letter is left out.
 */
export function embossedName(name: string): string {
  const words = name
    .replaceAll("&", " AND ")
    .replace(/['’‘ʼʻ`´]/gu, "'")
    .replace(/\p{Dash}/gu, "-")
    .split(/\s+/u)
    .map(embossedWord);
  const embossed = words.filter((word) => /[A-Z]/.test(word)).join(" ");
  return embossed.slice(0, MAX_LENGTH).replace(/[^A-Z.]+$/, "") || NOBODY;
}

function embossedWord(word: string): string {
  return word
    .replace(/[^.'-]+/gu, (letters) =>
      nameParts(letters)
        .join("")
        .replace(/[^A-Z]/g, ""),
    )
    .replace(/^[^A-Z]+/, "");
}
