import type { CountryCode } from "../../../foundation/countries.ts";
import { countryOfNumber } from "../country-numbers.ts";
import type { Message } from "../fields.ts";
import { readElement } from "./element.ts";

/** DE 19. Nothing where it is absent or no country's number. */
export function acquirerCountryOf(message: Message): CountryCode | undefined {
  return readElement(message, 19, (number) => countryOfNumber(number));
}
