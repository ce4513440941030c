import { type Currency, exponentOf } from "../foundation/currencies.ts";
import { CommandError } from "./command.ts";

const MAX_MAJOR_UNITS = 1_000_000_000n;

/** Minor units of an amount as an operator types it: `1500`, `1500.5` or `1500.50`, and nothing cleverer. */
export function readAmount(text: string, currency: Currency): bigint {
  const match = /^(\d{1,10})(?:\.(\d{1,4}))?$/.exec(text);
  if (match === null) throw new CommandError(`${text} is no amount: write it as 1500 or 1500.50.`);
  const [, whole = "0", fraction = ""] = match;
  const decimals = exponentOf(currency);
  if (fraction.length > decimals) {
    throw new CommandError(`${text} has more decimals than ${currency} allows (${decimals}).`);
  }
  const minor = BigInt(whole + fraction.padEnd(decimals, "0"));
  if (minor === 0n) throw new CommandError("The amount must be greater than 0.");
  if (minor > MAX_MAJOR_UNITS * 10n ** BigInt(decimals)) {
    throw new CommandError(`The amount must not be above ${MAX_MAJOR_UNITS} ${currency}.`);
  }
  return minor;
}
