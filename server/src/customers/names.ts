/**
 * Letters that no Unicode decomposition takes apart, as people type them without the right keyboard.
 * The hooked ones are Hausa, the open ones Akan and Ewe.
 */
const plainLetters: Readonly<Record<string, string>> = {
  Ɓ: "B",
  Ɗ: "D",
  Ƙ: "K",
  Ƴ: "Y",
  Ɛ: "E",
  Ɔ: "O",
  Ŋ: "NG",
  Ɖ: "D",
  Ƒ: "F",
  Ɣ: "G",
  Ʋ: "V",
  Ø: "O",
  Ł: "L",
  Đ: "D",
  Ð: "D",
  Ħ: "H",
  Ŧ: "T",
  Æ: "AE",
  Œ: "OE",
  Þ: "TH",
  ẞ: "SS",
};

const PLAIN_LETTER = new RegExp(`[${Object.keys(plainLetters).join("")}]`, "gu");

/** Accents, joiners and variation selectors belong to no script; the vowel signs of a script do. */
const ACCENT = /\p{Script=Inherited}/gu;

/** Apostrophes within names, and characters that cannot be seen: they separate nothing. */
const UNSEEN = /[\p{Cf}'’‘ʼʻ`´]/gu;

/** What separates one part of a name from the next: anything but letters, their signs, and digits. */
const BETWEEN = /[^\p{L}\p{M}\p{N}]+/u;

/**
 * The parts of a name, in order, so that two people who write the same name write the same parts.
 * Capitals are compared because ß, ı and ς differ from their kin in small letters only.
 */
export function nameParts(name: string): string[] {
  return name
    .replace(UNSEEN, "")
    .normalize("NFKD")
    .toUpperCase()
    .normalize("NFKD")
    .replace(ACCENT, "")
    .replace(UNSEEN, "")
    .replace(PLAIN_LETTER, (letter) => plainLetters[letter] ?? letter)
    .split(BETWEEN)
    .filter((part) => part !== "");
}

/**
 * Whether a name on record occurs in a name as it was submitted, given in one or several fields: all its parts
 * in any order, or the same letters with other spaces. An empty name on record never occurs.
 */
export function nameOccurs(recorded: string, submitted: readonly string[]): boolean {
  const parts = nameParts(recorded);
  if (parts.length === 0) return false;
  const fields = submitted.map(nameParts);
  const given = new Set(fields.flat());
  return (
    parts.every((part) => given.has(part)) ||
    fields.some((field) => field.join("") === parts.join(""))
  );
}
