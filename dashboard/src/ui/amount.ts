import { decimalsOf } from "./decimals.ts";

interface AmountRules {
  currency: string;
  isOptional?: boolean;
  mayBeZero?: boolean;
}

/** Digits, perhaps with commas between the thousands, and a point before the decimals. */
const SHAPE = /^(?:\d+|\d{1,3}(?:,\d{3})+)(?:\.(?<decimals>\d+))?$/;

/** Says what is wrong with an amount as somebody typed it, or null. */
export const checkAmount =
  ({ currency, isOptional = false, mayBeZero = false }: AmountRules) =>
  (typed: string): string | null => {
    const text = typed.trim();
    if (text === "") return isOptional ? null : "Enter an amount";
    if (text.startsWith("-")) return mayBeZero ? "Must not be negative" : "Must be more than 0";
    const match = SHAPE.exec(text);
    if (match === null) return "Write it in digits, such as 1250.50";
    if (amountOf(text) === 0 && !mayBeZero) return "Must be more than 0";
    return checkDecimals(match.groups?.decimals ?? "", currency.toUpperCase());
  };

function checkDecimals(decimals: string, currency: string): string | null {
  const allowed = decimalsOf(currency);
  // What is no currency is for the service to refuse.
  if (allowed === undefined || decimals.length <= allowed) return null;
  return allowed === 0 ? `${currency} has no decimals` : `${currency} has ${allowed} decimals`;
}

/** The number that a checked amount stands for. */
export const amountOf = (typed: string): number => Number(typed.trim().replaceAll(",", ""));
