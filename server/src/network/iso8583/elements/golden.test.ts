import { expect, test } from "vitest";
import type { Currency } from "../../../foundation/currencies.ts";
import type { Message } from "../fields.ts";
import { goldenMessages, type Meaning } from "../golden/golden.ts";
import { acquirerCountryOf } from "./acquirer-country.ts";
import { additionalAmountsOf } from "./additional-amounts.ts";
import { cvv2Of } from "./additional-data.ts";
import {
  billingAmountOf,
  replacementAmountsOf,
  settlementMinorOf,
  transactionAmountOf,
} from "./amounts.ts";
import { merchantIdOf, nameAndLocationOf } from "./card-acceptor.ts";
import { conversionRateOf } from "./conversion-rate.ts";
import { entryModeOf } from "./entry-mode.ts";
import { originalOf } from "./original.ts";
import { processingCodeOf } from "./processing-code.ts";
import { expiryOf, localTimeOf, transmissionTimeOf } from "./times.ts";

const USUAL_NOW = "2026-02-03T00:00:00.000Z";

test.each(goldenMessages)("$title means what is written beside it", ({ message, means }) => {
  const { now = USUAL_NOW, ...expected } = means;
  expect(meaningOf(message, new Date(now))).toEqual(expected);
});

/** Everything that the readers find in a message, in the short form of the golden files. */
function meaningOf(message: Message, now: Date): Meaning {
  const place = nameAndLocationOf(message);
  const mid = merchantIdOf(message);
  const local = localTimeOf(message);
  const expiry = expiryOf(message);
  const replacement = replacementAmountsOf(message);
  const original = originalOf(message);
  return present({
    kind: processingCodeOf(message)?.kind,
    amount: amountText(transactionAmountOf(message)),
    settlement: settlementMinorOf(message)?.toString(),
    billing: amountText(billingAmountOf(message)),
    rate: conversionRateOf(message),
    sentAt: transmissionTimeOf(message, now)?.toISOString(),
    local:
      local &&
      `${two(local.month)}-${two(local.day)} ${two(local.hour)}:${two(local.minute)}:${two(local.second)}`,
    expiry: expiry && `${expiry.year}-${two(expiry.month)}`,
    acquirerCountry: acquirerCountryOf(message),
    entryMode: entryModeOf(message),
    mid: place === undefined ? mid : undefined,
    merchant: place && { mid, ...place },
    cvv2: cvv2Of(message),
    additional: additionalAmountsOf(message)?.map(
      (amount) => `${amount.accountType} ${amount.amountType} ${amountText(amount)}`,
    ),
    original: original && Object.values(original).join(" "),
    replacement: replacement && Object.values(replacement).join(" "),
  });
}

function amountText(
  amount: { amountMinor: bigint; currency: Currency | undefined } | undefined,
): string | undefined {
  return amount && `${amount.amountMinor} ${amount.currency}`;
}

function two(number: number): string {
  return String(number).padStart(2, "0");
}

function present(values: Record<string, unknown>): Meaning {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}
