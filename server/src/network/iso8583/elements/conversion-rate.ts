import { readDecimal } from "../../../foundation/decimal.ts";
import { isRate } from "../../../foundation/fx.ts";
import type { Message } from "../fields.ts";
import { FormatError } from "../format-error.ts";
import { readElement } from "./element.ts";

const RATE_DIGITS = 7;
const MOST_DECIMALS = 9;

/** DE 10 as a decimal number: what one major unit of the transaction is worth in the card's currency. */
export function conversionRateOf(message: Message): string | undefined {
  return readElement(message, 10, (text, refuse) => {
    const decimals = Number(text.slice(0, 1));
    const digits = text.slice(1).padStart(decimals + 1, "0");
    const point = digits.length - decimals;
    const whole = digits.slice(0, point).replace(/^0+(?=\d)/, "");
    const rate = decimals === 0 ? whole : `${whole}.${digits.slice(point)}`;
    return isRate(rate) ? rate : refuse("must be more than nothing");
  });
}

/** DE 10. A rate that does not fit is refused, since rounding it would change what is charged. */
export function writeConversionRate(rate: string): string {
  const { digits, exponent } = isRate(rate) ? readDecimal(rate) : { digits: "", exponent: 0 };
  const decimals = Math.max(0, -exponent);
  const value = digits + "0".repeat(Math.max(0, exponent));
  if (value === "" || value.length > RATE_DIGITS || decimals > MOST_DECIMALS) {
    const reason = `has room for ${RATE_DIGITS} digits of a rate and ${MOST_DECIMALS} decimals`;
    throw new FormatError({ place: 10, reason });
  }
  return String(decimals) + value.padStart(RATE_DIGITS, "0");
}
