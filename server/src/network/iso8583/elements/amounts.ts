import type { Currency } from "../../../foundation/currencies.ts";
import { currencyOfNumber, numberOfCurrency } from "../currency-numbers.ts";
import type { Fields, Message } from "../fields.ts";
import { digitsOf, readElement, refusing } from "./element.ts";

const AMOUNT_DIGITS = 12;

/** Minor units as ISO 4217 counts them. Without a currency, its number is none that is in use. */
interface NetworkAmount {
  amountMinor: bigint;
  currency: Currency | undefined;
}

/** DE 4 in the currency of DE 49. */
export function transactionAmountOf(message: Message): NetworkAmount | undefined {
  return amountOf(message, 4, 49);
}

/** DE 6 in the currency of DE 51. */
export function billingAmountOf(message: Message): NetworkAmount | undefined {
  return amountOf(message, 6, 51);
}

/** DE 5, in the currency that the peers settle in. */
export function settlementMinorOf(message: Message): bigint | undefined {
  return readElement(message, 5, (digits) => BigInt(digits));
}

/** DE 4 and DE 49. */
export function writeTransactionAmount(amountMinor: bigint, currency: Currency): Fields {
  return { 4: digitsOf(4, amountMinor, AMOUNT_DIGITS), 49: numberOfCurrency(currency) };
}

/** DE 6 and DE 51. */
export function writeBillingAmount(amountMinor: bigint, currency: Currency): Fields {
  return { 6: digitsOf(6, amountMinor, AMOUNT_DIGITS), 51: numberOfCurrency(currency) };
}

function amountOf(message: Message, amount: 4 | 6, currency: 49 | 51): NetworkAmount | undefined {
  return readElement(message, amount, (digits) => {
    const number = message.fields[currency];
    if (number === undefined) {
      return refusing(message, currency)(`is missing, but DE ${amount} needs it`);
    }
    return { amountMinor: BigInt(digits), currency: currencyOfNumber(number) };
  });
}

/** What a transaction is to be worth after a partial reversal. */
interface ReplacementAmounts {
  transactionMinor: bigint;
  settlementMinor: bigint;
}

const REPLACEMENT = /^([0-9]{12})([0-9]{12})(?:(?:[CD0]0{8}){2}| {18})$/;

/** DE 95. Fees are not spoken here, so theirs must be nothing. */
export function replacementAmountsOf(message: Message): ReplacementAmounts | undefined {
  return readElement(message, 95, (text, refuse) => {
    const [, transaction, settlement] = REPLACEMENT.exec(text) ?? [];
    if (transaction === undefined || settlement === undefined) {
      return refuse("must be two amounts of 12 digits and two fees of nothing");
    }
    return { transactionMinor: BigInt(transaction), settlementMinor: BigInt(settlement) };
  });
}

/** DE 95. */
export function writeReplacementAmounts(amounts: ReplacementAmounts): string {
  const { transactionMinor, settlementMinor } = amounts;
  const noFees = "0".repeat(18);
  return (
    digitsOf(95, transactionMinor, AMOUNT_DIGITS) +
    digitsOf(95, settlementMinor, AMOUNT_DIGITS) +
    noFees
  );
}
