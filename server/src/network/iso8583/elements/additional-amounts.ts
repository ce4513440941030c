import type { Currency } from "../../../foundation/currencies.ts";
import { currencyOfNumber, numberOfCurrency } from "../currency-numbers.ts";
import type { Message } from "../fields.ts";
import { FormatError } from "../format-error.ts";
import { digitsOf, readElement } from "./element.ts";

const SET_LENGTH = 20;
const MOST_SETS = 6;
const AMOUNT_DIGITS = 12;
const SET = /^([0-9]{2})([0-9]{2})([0-9]{3})([CD])([0-9]{12})$/;

interface AdditionalAmount {
  /** 00: not told which. */
  accountType: string;
  /** 01: the ledger's balance. 02: what is available. */
  amountType: string;
  /** None: its number is none of a currency in use. */
  currency: Currency | undefined;
  /** Negative where the account owes (D). */
  amountMinor: bigint;
}

/** DE 54. */
export function additionalAmountsOf(message: Message): AdditionalAmount[] | undefined {
  return readElement(message, 54, (text, refuse) => {
    const sets = text.match(/.{1,20}/gs) ?? [];
    return sets.map((set) => {
      const [, accountType = "", amountType = "", number = "", sign, digits = ""] =
        SET.exec(set) ?? refuse(`must consist of sets of ${SET_LENGTH} characters`);
      const magnitude = BigInt(digits);
      const amountMinor = sign === "D" ? -magnitude : magnitude;
      return { accountType, amountType, currency: currencyOfNumber(number), amountMinor };
    });
  });
}

/** DE 54 with what is available on the account. */
export function writeAvailableBalance(amountMinor: bigint, currency: Currency): string {
  return writeAdditionalAmounts([{ accountType: "00", amountType: "02", currency, amountMinor }]);
}

/** DE 54. */
export function writeAdditionalAmounts(
  amounts: readonly (AdditionalAmount & { currency: Currency })[],
): string {
  if (amounts.length < 1 || amounts.length > MOST_SETS) {
    throw new FormatError({ place: 54, reason: `must consist of 1 to ${MOST_SETS} sets` });
  }
  return amounts.map(written).join("");
}

function written(amount: AdditionalAmount & { currency: Currency }): string {
  const { accountType, amountType, currency, amountMinor } = amount;
  const isOwed = amountMinor < 0n;
  return (
    accountType +
    amountType +
    numberOfCurrency(currency) +
    (isOwed ? "D" : "C") +
    digitsOf(54, isOwed ? -amountMinor : amountMinor, AMOUNT_DIGITS)
  );
}
