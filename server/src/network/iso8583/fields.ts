import type { Mti } from "./message-types.ts";

/** n: digits. an: letters and digits, blanks after them. ans: printable ASCII. */
export type CharacterSet = "n" | "an" | "ans";

/** What of a field may stand in a log. */
type LogRule = "shown" | "masked" | "withheld";

export interface FieldSpec {
  readonly name: string;
  readonly characters: CharacterSet;
  /** How many ASCII digits before the value say how long it is; none where the length is fixed. */
  readonly lengthDigits: 0 | 2 | 3;
  readonly minLength: number;
  readonly maxLength: number;
  readonly inLogs: LogRule;
  readonly meaning: string;
}

type Text = Pick<FieldSpec, "name" | "meaning"> & { inLogs?: LogRule };

function fixed(characters: CharacterSet, length: number, text: Text): FieldSpec {
  const lengths = { minLength: length, maxLength: length, lengthDigits: 0 } as const;
  return { inLogs: "shown", ...text, characters, ...lengths };
}

type Variable = Text & { characters: CharacterSet; minLength: number; maxLength: number };

function llvar(spec: Variable): FieldSpec {
  return { inLogs: "shown", ...spec, lengthDigits: 2 };
}

function lllvar(spec: Variable): FieldSpec {
  return { inLogs: "shown", ...spec, lengthDigits: 3 };
}

/** The data elements that are spoken here. A message with any other is refused. */
export const fieldTable = {
  2: llvar({
    name: "Primary account number",
    characters: "n",
    // The standard knows no shortest number; cards have at least this many digits.
    minLength: 13,
    maxLength: 19,
    inLogs: "masked",
    meaning: "The card",
  }),
  3: fixed("n", 6, {
    name: "Processing code",
    meaning: "Kind (00 purchase, 01 cash, 20 refund), account debited, account credited; 2 each",
  }),
  4: fixed("n", 12, {
    name: "Amount, transaction",
    meaning: "Minor units of the currency in DE 49",
  }),
  5: fixed("n", 12, {
    name: "Amount, settlement",
    meaning: "Minor units of the settlement currency, which peers agree on beforehand",
  }),
  6: fixed("n", 12, {
    name: "Amount, cardholder billing",
    meaning: "Minor units of the currency in DE 51",
  }),
  7: fixed("n", 10, {
    name: "Transmission date and time",
    meaning: "MMDDhhmmss, UTC",
  }),
  10: fixed("n", 8, {
    name: "Conversion rate, cardholder billing",
    meaning: "How many of the 7 last digits are decimals, then those digits: 61250000 is 1.25",
  }),
  11: fixed("n", 6, {
    name: "System trace audit number",
    meaning: "The sender's number for this message; an answer repeats it",
  }),
  12: fixed("n", 6, {
    name: "Time, local transaction",
    meaning: "hhmmss where the card was used",
  }),
  13: fixed("n", 4, {
    name: "Date, local transaction",
    meaning: "MMDD where the card was used",
  }),
  14: fixed("n", 4, {
    name: "Date, expiration",
    inLogs: "withheld",
    meaning: "YYMM",
  }),
  18: fixed("n", 4, {
    name: "Merchant type",
    meaning: "MCC",
  }),
  19: fixed("n", 3, {
    name: "Acquiring institution country code",
    meaning: "ISO 3166 number",
  }),
  22: fixed("n", 3, {
    name: "Point of service entry mode",
    meaning: "How the card was read (2 digits), whether a PIN could be entered (1 digit)",
  }),
  25: fixed("n", 2, {
    name: "Point of service condition code",
    meaning: "00 normal, 06 pre-authorization",
  }),
  32: llvar({
    name: "Acquiring institution identification code",
    characters: "n",
    minLength: 1,
    maxLength: 11,
    meaning: "The acquirer",
  }),
  37: fixed("an", 12, {
    name: "Retrieval reference number",
    meaning: "The acquirer's name for the transaction, the same in all its messages",
  }),
  38: fixed("an", 6, {
    name: "Authorization identification response",
    meaning: "Approval code",
  }),
  39: fixed("an", 2, {
    name: "Response code",
    meaning: "The outcome, see below",
  }),
  41: fixed("ans", 8, {
    name: "Card acceptor terminal identification",
    meaning: "The terminal, with blanks after it",
  }),
  42: fixed("ans", 15, {
    name: "Card acceptor identification code",
    meaning: "MID, with blanks after it",
  }),
  43: fixed("ans", 40, {
    name: "Card acceptor name and location",
    meaning: "Name 25, city 13, country 2 (ISO 3166 alpha-2), each with blanks after it",
  }),
  48: lllvar({
    name: "Additional data, private",
    characters: "ans",
    minLength: 1,
    maxLength: 999,
    inLogs: "withheld",
    meaning: "Subfields: tag 2, length 2, value. 92 is the CVV2: 9203 and its 3 digits",
  }),
  49: fixed("n", 3, {
    name: "Currency code, transaction",
    meaning: "ISO 4217 number",
  }),
  51: fixed("n", 3, {
    name: "Currency code, cardholder billing",
    meaning: "ISO 4217 number",
  }),
  54: lllvar({
    name: "Additional amounts",
    characters: "an",
    minLength: 20,
    maxLength: 120,
    meaning:
      "Up to 6 of: account type 2, amount type 2 (02 available), currency 3, C or D, amount 12",
  }),
  70: fixed("n", 3, {
    name: "Network management information code",
    meaning: "001 sign-on, 002 sign-off, 301 echo",
  }),
  90: fixed("n", 42, {
    name: "Original data elements",
    meaning:
      "Of the original: MTI 4, DE 11, DE 7, DE 32 and DE 33 in 11 digits each, zeros before them",
  }),
  95: fixed("an", 42, {
    name: "Replacement amounts",
    meaning: "What remains: transaction amount 12, settlement amount 12, two fees of C or D and 8",
  }),
} satisfies Record<number, FieldSpec>;

export type FieldNumber = keyof typeof fieldTable;

/** The data elements of a message, by number, as text and with their padding. */
export type Fields = { readonly [Number in FieldNumber]?: string };

export interface Message {
  readonly mti: Mti;
  readonly fields: Fields;
}

/** Every field with its number, in the order in which they stand in a message. */
export const fieldList: readonly { readonly number: FieldNumber; readonly spec: FieldSpec }[] =
  Object.entries(fieldTable).map(([number, spec]) => ({
    number: Number(number) as FieldNumber,
    spec,
  }));

const HIGHEST_NUMBER = 128;
const specs: readonly (FieldSpec | undefined)[] = Array.from(
  { length: HIGHEST_NUMBER + 1 },
  (_, index) => fieldList.find(({ number }) => number === index)?.spec,
);

/** The field with this number, if it is spoken here. */
export function specOf(number: number): FieldSpec | undefined {
  return specs[number];
}
