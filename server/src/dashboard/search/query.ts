/** What somebody may have meant by a text; several may be meant at once. */
export interface Meaning {
  text: string;
  lastFour?: string;
  /** The beginning of a card number, if it was given too. */
  firstSix?: string;
  /** Letters, as names have them. */
  name?: string;
}

const MASKED = /^(\d{6})?[\s*x•.…-]*(\d{4})$/i;
const WHOLE = /^\d{13,19}$/;

/** Reads a search. Of a whole card number only what a masked one shows is looked for. */
export function readMeaning(query: string): Meaning {
  const text = query.trim();
  const meaning: Meaning = { text };
  const digits = text.replace(/[\s-]/g, "");
  const masked = WHOLE.test(digits)
    ? [digits, digits.slice(0, 6), digits.slice(-4)]
    : MASKED.exec(text);
  if (masked?.[2] !== undefined) meaning.lastFour = masked[2];
  if (masked?.[1] !== undefined) meaning.firstSix = masked[1];
  if (/\p{L}/u.test(text) && !/_/.test(text)) meaning.name = text;
  return meaning;
}
