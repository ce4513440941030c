import { convertPaid } from "../authorization/billing.ts";
import type { CodeName } from "../foundation/codes.ts";
import { larger, minorOf, smaller } from "../foundation/money.ts";
import type { Transaction, TransactionEvent } from "../transactions/transaction.ts";
import {
  type Amounts,
  billingAmounts,
  type Message,
  openOf,
  type Step,
  wholeMinor,
} from "./life.ts";

/**
 * Turns "what shall remain" into the amount to take away, and what a single message settles into what neither a
 * reversal has taken back of it by then nor a clearing file has settled. A message that would take nothing, or a
 * negative amount, is refused.
 */
export function withAmount(
  transaction: Transaction,
  message: Message,
): Message | { refused: CodeName } {
  if (message.kind === "Expiry") return message;
  if (message.amountMinor === 0n) return { refused: "INVALID_REQUEST_AMOUNT" };
  if (message.kind === "Settlement") {
    return message.isImmediate === true
      ? { ...message, amountMinor: larger(openOf(ownAmounts(transaction)), 0n) }
      : message;
  }
  const { kind, remainingMinor } = message;
  const { heldMinor, settledMinor, refundedMinor } = transaction;
  const isOpen = kind === "Refund" ? settledMinor > refundedMinor : heldMinor > 0n;
  if (remainingMinor === undefined || remainingMinor === 0n || !isOpen) return message;
  const own = ownAmounts(transaction);
  const presentMinor =
    kind === "Refund"
      ? wholeMinor(kind, transaction, own)
      : own.authorizedMinor - own.reversedMinor;
  if (remainingMinor === presentMinor) return { refused: "INVALID_REQUEST_AMOUNT" };
  if (remainingMinor > presentMinor) return { refused: "AMOUNT_EXCEEDS_PREAUTH" };
  const amountMinor = presentMinor - remainingMinor;
  return message.kind === "Refund"
    ? { ...message, amountMinor }
    : { ...message, amountMinor, isOfPayment: true };
}

/**
 * Converts a message's amount, which is in the payment's own currency, to the billing currency of holds and
 * balances. So that rounded parts add up to the whole, the sum of all parts so far is converted, and a part is
 * billed the difference, which may be 0.
 */
export function inBilling(transaction: Transaction, message: Message): Message {
  if (message.kind === "Expiry" || message.amountMinor === undefined) return message;
  return { ...message, amountMinor: billed(transaction, message.kind, message.amountMinor) };
}

type Kind = Exclude<Message["kind"], "Expiry">;

function billed(transaction: Transaction, kind: Kind, sentMinor: bigint): bigint {
  const { billingRate, currency, billingCurrency } = transaction;
  if (billingRate === null) return sentMinor;
  const worth = (minor: bigint): bigint =>
    convertPaid(minor, currency, billingCurrency, billingRate);
  const own = ownAmounts(transaction);
  const billing = billingAmounts(transaction);
  if (kind === "Settlement" && isReversedInPart(own, billing, worth)) return worth(sentMinor);
  const togetherMinor = doneMinor(kind, own) + sentMinor;
  // A reversal leaves held what the rest is worth.
  const convertedMinor =
    kind === "Reversal"
      ? billing.authorizedMinor - worth(own.authorizedMinor - togetherMinor)
      : worth(togetherMinor);
  const most = { own: mostMinor(kind, own), billing: mostMinor(kind, billing) };
  const billedMinor = bounded(kind, togetherMinor, convertedMinor, most);
  return larger(billedMinor - doneMinor(kind, billing), 0n);
}

/** The whole in one currency is the whole in the other, and less stays less and more stays more. */
function bounded(
  kind: Kind,
  ownMinor: bigint,
  convertedMinor: bigint,
  most: { own: bigint; billing: bigint },
): bigint {
  if (ownMinor === most.own) return most.billing;
  // More than the whole, so that it is refused, or marked as over-captured.
  if (ownMinor > most.own) return larger(convertedMinor, most.billing + 1n);
  // A part of a reversal leaves at least one minor unit held for the rest.
  return smaller(convertedMinor, kind === "Reversal" ? most.billing - 1n : most.billing);
}

/** How much has been settled, reversed or refunded so far. */
function doneMinor(kind: Kind, { settledMinor, reversedMinor, refundedMinor }: Amounts): bigint {
  if (kind === "Settlement") return settledMinor;
  return kind === "Reversal" ? reversedMinor : refundedMinor;
}

/** How much can be settled, reversed or refunded in all, unless the merchant takes more than was authorized. */
function mostMinor(kind: Kind, { authorizedMinor, settledMinor, reversedMinor }: Amounts): bigint {
  if (kind === "Settlement") return authorizedMinor - reversedMinor;
  return kind === "Reversal" ? authorizedMinor - settledMinor : settledMinor;
}

/** By how much rounding may make two equal amounts differ. */
const ROUNDING_MINOR = 2n;

/**
 * Whether the events say that all was reversed, and the record that only what an advice had held was: so it is
 * with payments of before all that was open counted as reversed.
 */
function isReversedInPart(
  own: Amounts,
  billing: Amounts,
  worth: (minor: bigint) => bigint,
): boolean {
  const leftMinor = billing.authorizedMinor - billing.reversedMinor;
  return leftMinor > worth(own.authorizedMinor - own.reversedMinor) + ROUNDING_MINOR;
}

/** A step's amount in the payment's own currency, for its list of events. */
export function inOwnCurrency(
  transaction: Transaction,
  message: Message,
  { requestType, amountMinor }: Step,
): bigint {
  if (transaction.billingRate === null) return amountMinor;
  const isWhole = message.kind === "Expiry" || requestType === "Reversal";
  const sentMinor = isWhole ? undefined : message.amountMinor;
  return sentMinor ?? wholeMinor(message.kind, transaction, ownAmounts(transaction));
}

/** The amounts of a payment in its own currency, added up from its events. */
export function ownAmounts({ amountMinor, currency, heldMinor, events }: Transaction): Amounts {
  const sumOf = (...requestTypes: TransactionEvent["requestType"][]): bigint =>
    events
      .filter(({ requestType }) => requestTypes.includes(requestType))
      .reduce((sum, { amount }) => sum + minorOf(amount, currency), 0n);
  const settledMinor = sumOf("Settlement");
  const reversedMinor = sumOf("Reversal", "PartialReversal");
  const openMinor = amountMinor - settledMinor - reversedMinor;
  return {
    authorizedMinor: amountMinor,
    heldMinor: heldMinor > 0n ? openMinor : 0n,
    settledMinor,
    reversedMinor,
    refundedMinor: sumOf("Refund"),
  };
}
