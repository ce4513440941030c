const MIN_CARD_DIGITS = 13;
const MAX_CARD_DIGITS = 19;
/** Few cards have more. */
const USUAL_CARD_DIGITS = 16;
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
  const groups = [...text.matchAll(/\d+/g)].map(
    ({ 0: digits, index }): Group => ({ digits, start: index, end: index + digits.length }),
  );
  const found = groups.flatMap((_, index) => numberStartingAt(groups, index) ?? []);
  if (found[0] === undefined) return given;
  const { start } = found[0];
  const end = found.reduce((last, number) => Math.max(last, number.end), 0);
  const digits = text.slice(start, end).replace(/\D/g, "");
  const isCard = found.every((number) => number.isCard);
  return (
    text.slice(0, start) + (isCard ? maskCard(digits) : stars(digits.length)) + text.slice(end)
  );
}

/** The same for a text that is grouped as cards are printed, whatever parts the groups. */
export function maskPrinted(text: string): string {
  const digits = text.replace(/%[0-9a-f]{2}|\D/gi, "");
  return passesLuhn(digits) ? maskCard(digits) : text;
}

/** The first six and the last four digits of a card number may be shown. */
function maskCard(digits: string): string {
  return digits.slice(0, 6) + stars(digits.length - 10) + digits.slice(-4);
}

function stars(count: number): string {
  return "*".repeat(count);
}

/**
 * Eleven digits are a BVN or a NIN; 13 to 19 with a right check digit are a card number; more in one
 * group than cards usually have are taken for a card number with something before or after it.
 */
function numberStartingAt(groups: readonly Group[], index: number): Found | undefined {
  const first = groups[index];
  if (first === undefined) return undefined;
  const { start, end, digits } = first;
  if (digits.length === IDENTITY_DIGITS) return { start, end, isCard: false };
  if (digits.length > USUAL_CARD_DIGITS) return { start, end, isCard: true };
  const cardEnd = endOfCard(groups.slice(index, index + MAX_CARD_DIGITS));
  return cardEnd === undefined ? undefined : { start, end: cardEnd, isCard: true };
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
