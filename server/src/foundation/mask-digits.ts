const MIN_CARD_DIGITS = 13;
const MAX_CARD_DIGITS = 19;
const IDENTITY_DIGITS = 11;

type Group = { readonly digits: string; readonly start: number; readonly end: number };
type Found = { readonly start: number; readonly end: number; readonly isCard: boolean };

/**
 * Masks the card and identity numbers in groups of digits with single separators. The groups may be
 * one card number, or one beside its expiry or an amount, or several numbers; so everything from
 * the first group that belongs to a number to the last is masked as if it were one.
 */
export function maskDigits(given: string): string {
  const text = given.replaceAll("%20", " ");
  const groups = groupsOf(text);
  const found = groups.flatMap((_, index) => numberStartingAt(groups, index) ?? []);
  return found.length === 0 ? given : maskFound(text, found);
}

/** The same for groups as cards print them, whatever parts these. */
export function maskPrinted(text: string): string {
  // "%11" is a sign that was escaped, or a sign and two digits.
  for (const reading of [text.replace(/%[0-9a-f]{2}/gi, " "), text]) {
    const found = printedIn(reading);
    if (found.length > 0) return maskFound(reading, found);
  }
  return text;
}

function groupsOf(text: string): Group[] {
  return [...text.matchAll(/\d+/g)].map(({ 0: digits, index }) => ({
    digits,
    start: index,
    end: index + digits.length,
  }));
}

function maskFound(text: string, found: readonly Found[]): string {
  const start = found.reduce((first, number) => Math.min(first, number.start), text.length);
  const end = found.reduce((last, number) => Math.max(last, number.end), 0);
  const digits = text.slice(start, end).replace(/\D/g, "");
  const isCard = found.every((number) => number.isCard);
  return (
    text.slice(0, start) + (isCard ? maskCard(digits) : stars(digits.length)) + text.slice(end)
  );
}

/** Four groups of four and perhaps a fifth, or those of Amex. Other digits may touch the first and the last. */
const SHAPES = /(?=(\d{4}\D+\d{4}\D+\d{4}\D+\d{4}(?:\D*\d){0,3}|\d{4}\D+\d{6}\D+\d{5}))/g;
const FOUR_FOURS = 16;

function printedIn(text: string): Found[] {
  return [...text.matchAll(SHAPES)].flatMap(({ 1: shape = "", index: start }) => {
    const digits = shape.replace(/\D/g, "");
    for (let length = digits.length; length >= Math.min(FOUR_FOURS, digits.length); length--) {
      if (!passesLuhn(digits.slice(0, length))) continue;
      return { start, end: start + endOfDigits(shape, length), isCard: true };
    }
    return [];
  });
}

/** Where so many digits end. */
function endOfDigits(text: string, count: number): number {
  let end = 0;
  for (let left = count; left > 0 && end < text.length; end++) if (isDigit(text, end)) left--;
  return end;
}

const isDigit = (text: string, at: number): boolean => /\d/.test(text.charAt(at));

/** The first six and the last four digits of a card number may be shown. */
function maskCard(digits: string): string {
  return digits.slice(0, 6) + stars(digits.length - 10) + digits.slice(-4);
}

function stars(count: number): string {
  return "*".repeat(count);
}

/**
 * Eleven digits are a BVN or a NIN; 13 to 19 with a right check digit are a card number; more in one
 * group are taken for a card number with something before or after it.
 */
function numberStartingAt(groups: readonly Group[], index: number): Found | undefined {
  const first = groups[index];
  if (first === undefined) return undefined;
  const { start, end, digits } = first;
  if (digits.length === IDENTITY_DIGITS) return { start, end, isCard: false };
  if (digits.length > MAX_CARD_DIGITS || holdsCard(digits)) return { start, end, isCard: true };
  const cardEnd = endOfCard(groups.slice(index, index + MAX_CARD_DIGITS));
  return cardEnd === undefined ? undefined : { start, end: cardEnd, isCard: true };
}

/** Whether a few other digits touch a card number of the usual length. */
function holdsCard(digits: string): boolean {
  for (const found of digits.matchAll(/(?=([2-6]\d{15}|3[47]\d{13}))/g)) {
    if (passesLuhn(found[1] ?? "")) return true;
  }
  return false;
}

function endOfCard(groups: readonly Group[]): number | undefined {
  let digits = "";
  let cardEnd: number | undefined;
  for (const group of groups) {
    digits += group.digits;
    if (digits.length > MAX_CARD_DIGITS) break;
    if (digits.length >= MIN_CARD_DIGITS && passesLuhn(digits)) cardEnd = group.end;
  }
  return cardEnd;
}

function passesLuhn(digits: string): boolean {
  let sum = 0;
  for (let i = 0; i < digits.length; i++) {
    const digit = digits.charCodeAt(digits.length - 1 - i) - 48;
    const weighted = i % 2 === 0 ? digit : digit * 2;
    sum += weighted > 9 ? weighted - 9 : weighted;
  }
  return sum % 10 === 0;
}
