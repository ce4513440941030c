import { readDuration } from "../terminal/duration.ts";
import type { FieldKind } from "./actions.ts";

const MAX_AMOUNT = 10_000_000;
const NAME = /^[A-Za-z][\w-]{0,30}$/;

/** What is wrong with the value of a field, in words that follow its name. */
export function problemWith(kind: FieldKind, value: unknown): string | undefined {
  if (typeof kind !== "string") {
    return typeof value === "string" && kind.includes(value)
      ? undefined
      : `is one of ${kind.join(", ")}`;
  }
  return isGood(kind, value) ? undefined : WORDS[kind];
}

const WORDS: Record<Extract<FieldKind, string>, string> = {
  amount: "is a number from 0 to 10,000,000",
  boolean: "is true or false",
  duration: "is a time such as 90 seconds, 2 hours or 8 days, of 400 days at most",
  integer: "is a whole number, 0 or more",
  list: "is a list of texts",
  object: "is a map of fields",
  text: "is a text; put digits in quotes",
  newName: "is a name of letters, digits, - and _ that begins with a letter",
  card: "is the name of a card",
  transaction: "is the name of a transaction",
  customer: "is the name of a customer",
};

function isGood(kind: Extract<FieldKind, string>, value: unknown): boolean {
  switch (kind) {
    case "amount":
      return typeof value === "number" && value >= 0 && value <= MAX_AMOUNT;
    case "boolean":
      return typeof value === "boolean";
    case "duration":
      return readDuration(value) !== undefined;
    case "integer":
      return Number.isSafeInteger(value) && (value as number) >= 0;
    case "list":
      return Array.isArray(value) && value.every((item) => typeof item === "string");
    case "object":
      return isFields(value);
    case "text":
      return typeof value === "string";
    default:
      return typeof value === "string" && NAME.test(value);
  }
}

export function isFields(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
