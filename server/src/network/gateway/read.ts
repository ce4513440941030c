import type { EntryMode, PurchaseType } from "../../authorization/purchase.ts";
import { isCountryCode } from "../../foundation/countries.ts";
import type { Currency } from "../../foundation/currencies.ts";
import { Failure } from "../../foundation/failure.ts";
import type { IsoName } from "../../transactions/iso-name.ts";
import type { Merchant } from "../../transactions/transaction.ts";
import { acquirerCountryOf } from "../iso8583/elements/acquirer-country.ts";
import { cvv2Of } from "../iso8583/elements/additional-data.ts";
import { transactionAmountOf } from "../iso8583/elements/amounts.ts";
import { merchantIdOf, nameAndLocationOf } from "../iso8583/elements/card-acceptor.ts";
import { refusing } from "../iso8583/elements/element.ts";
import { entryModeOf } from "../iso8583/elements/entry-mode.ts";
import { processingCodeOf } from "../iso8583/elements/processing-code.ts";
import { expiryOf, transmissionTimeOf } from "../iso8583/elements/times.ts";
import type { FieldNumber, Message } from "../iso8583/fields.ts";

/** A field that a message cannot do without. */
function required(message: Message, number: FieldNumber): string {
  return message.fields[number] ?? refusing(message, number)("is missing");
}

export const panOf = (message: Message): string => required(message, 2);

/** DE 32, 37, 11 and 7, by which a message is known again. */
export function nameOf(message: Message, now: Date): IsoName {
  transmissionTimeOf(message, now);
  return {
    acquirer: required(message, 32),
    retrieval: required(message, 37),
    trace: required(message, 11),
    transmitted: required(message, 7),
  };
}

/** The first two digits of DE 3. */
export function kindOf(message: Message): string {
  required(message, 3);
  return processingCodeOf(message)?.kind ?? "";
}

/** DE 4 in the currency of DE 49, which may be none that anybody knows. */
export function amountOf(message: Message): {
  amountMinor: bigint;
  currency: Currency | undefined;
} {
  required(message, 4);
  required(message, 49);
  return transactionAmountOf(message) ?? refusing(message, 4)("is missing");
}

/** What is told of a purchase besides its card and its amount; a FormatError where that cannot be read. */
export interface PurchaseDetails {
  merchant: Omit<Merchant, "country"> & { country: string | undefined };
  entryMode: EntryMode;
  cvv: string | undefined;
  expiry: { month: number; year: number } | undefined;
}

export function purchaseDetailsOf(message: Message): PurchaseDetails {
  return {
    merchant: merchantOf(message),
    // A card number without an entry mode is taken for e-commerce, where nothing else is told.
    entryMode: entryModeOf(message) ?? "Ecommerce",
    cvv: cvv2Of(message),
    expiry: expiryOf(message),
  };
}

export function merchantOf(message: Message): PurchaseDetails["merchant"] {
  const shop = nameAndLocationOf(message);
  const country = shop?.country ?? "";
  return {
    mid: merchantIdOf(message) ?? "",
    mcc: message.fields[18] ?? "",
    name: shop?.name ?? "",
    city: shop?.city ?? "",
    country: isCountryCode(country) ? country : acquirerCountryOf(message),
  };
}

/** DE 3 and DE 25. Only what waits for a completion can be a pre-authorization. */
export function purchaseTypeOf(
  message: Message,
  { isSingle }: { isSingle: boolean },
): PurchaseType {
  const kind = kindOf(message);
  if (kind === "01") return "CashWithdrawal";
  if (kind !== "00") throw new Failure("INVALID_TRANSACTION");
  return message.fields[25] === "06" && !isSingle ? "PreAuthorization" : "Authorization";
}
