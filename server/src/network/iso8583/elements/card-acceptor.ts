import type { Message } from "../fields.ts";
import { FormatError } from "../format-error.ts";
import { readElement } from "./element.ts";

const ID_LENGTH = 15;
const NAME_LENGTH = 25;
const CITY_LENGTH = 13;

/** DE 42: the merchant's MID. */
export function merchantIdOf(message: Message): string | undefined {
  return readElement(message, 42, (text, refuse) => text.trim() || refuse("must not be blank"));
}

/** DE 42. */
export function writeMerchantId(mid: string): string {
  return padded(42, mid, ID_LENGTH);
}

/** Where a card was used. Without a country, the message leaves it blank. */
interface NameAndLocation {
  name: string;
  city: string;
  country: string | undefined;
}

/** DE 43. The country is two letters, whether or not they are a country's. */
export function nameAndLocationOf(message: Message): NameAndLocation | undefined {
  return readElement(message, 43, (text, refuse) => {
    const name = text.slice(0, NAME_LENGTH).trim();
    const city = text.slice(NAME_LENGTH, NAME_LENGTH + CITY_LENGTH).trim();
    const country = text.slice(NAME_LENGTH + CITY_LENGTH);
    if (!/^(?:[A-Z]{2}| {2})$/.test(country)) {
      return refuse("must end with a country of two capital letters, or blanks");
    }
    return { name, city, country: country.trim() || undefined };
  });
}

/** DE 43. */
export function writeNameAndLocation({ name, city, country }: NameAndLocation): string {
  return padded(43, name, NAME_LENGTH) + padded(43, city, CITY_LENGTH) + (country ?? "  ");
}

function padded(place: number, text: string, length: number): string {
  if (text.length <= length) return text.padEnd(length);
  throw new FormatError({ place, reason: `has no room for more than ${length} characters` });
}
