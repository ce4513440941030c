import type { List } from "@florin/sdk";
import { InvalidArgumentError } from "commander";

export const DEFAULT_LIMIT = 20;

export function wholeNumber(least: number, most: number): (text: string) => number {
  return (text) => {
    const number = Number(text);
    if (/^\d+$/.test(text) && number >= least && number <= most) return number;
    throw new InvalidArgumentError(`It is a whole number from ${least} to ${most}.`);
  };
}

export const limitOf = wholeNumber(1, 100_000);

export function oneOf<T extends string>(...values: T[]): (text: string) => T {
  return (text) => {
    const found = values.find((value) => value.toLowerCase() === text.toLowerCase());
    if (found !== undefined) return found;
    throw new InvalidArgumentError(`It is one of ${values.join(", ")}.`);
  };
}

export const trueOrFalse = (text: string): boolean => oneOf("true", "false")(text) === "true";

export const commaList = (text: string): string[] =>
  text
    .split(",")
    .map((item) => item.trim())
    .filter((item) => item !== "");

export function httpUrl(text: string): string {
  if (URL.canParse(text) && /^https?:\/\//.test(text)) return text;
  throw new InvalidArgumentError("It is an address that begins with http:// or https://.");
}

/** So many of a list, and whether there are more. */
export async function take<T>(list: List<T>, most: number): Promise<{ data: T[]; isCut: boolean }> {
  const data = await list.toArray(most + 1);
  return { data: data.slice(0, most), isCut: data.length > most };
}

/** A page is at most this large, and no larger than what is wanted. */
export const pageSize = (most: number): number => Math.min(100, most + 1);
