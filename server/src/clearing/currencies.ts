import { convertPaid } from "../authorization/billing.ts";
import type { CodeName } from "../foundation/codes.ts";
import { minorOf } from "../foundation/money.ts";
import type { Transaction, TransactionEvent } from "../transactions/transaction.ts";
import { type Amounts, billingAmounts, type Message, type Step, wholeMinor } from "./life.ts";

/**
 * Some messages say what is to remain rather than what goes: here it becomes what goes. Nothing that goes,
 * or less than nothing, is no step.
 */
export function withAmount(
  transaction: Transaction,
  message: Message,
): Message | { refused: CodeName } {
  if (message.kind === "Expiry" || message.kind === "Settlement") return message;
  const { kind, remainingMinor } = message;
  const isOpen = kind === "Refund" ? transaction.settledMinor > 0n : transaction.heldMinor > 0n;
  if (remainingMinor === undefined || remainingMinor === 0n || !isOpen) return message;
  const own = ownAmounts(transaction);
  const presentMinor =
    kind === "Refund"
      ? wholeMinor(kind, transaction.stage, own)
      : own.authorizedMinor - own.reversedMinor;
  if (remainingMinor === presentMinor) return { refused: "INVALID_REQUEST_AMOUNT" };
  if (remainingMinor > presentMinor) return { refused: "AMOUNT_EXCEEDS_PREAUTH" };
  return { kind, amountMinor: presentMinor - remainingMinor };
}

/**
 * Messages name amounts in the payment's own currency, holds and balances are in the billing currency,
 * and conversions round. So that parts add up to the whole all the same, whatever is left in one currency
 * is what is left in the other, and less of one is never more than that of the other.
 */
export function inBilling(transaction: Transaction, message: Message): Message {
  if (message.kind === "Expiry" || message.amountMinor === undefined) return message;
  return { ...message, amountMinor: billed(transaction, message.kind, message.amountMinor) };
}

function billed(transaction: Transaction, kind: Message["kind"], sentMinor: bigint): bigint {
  const { billingRate, currency, billingCurrency, stage } = transaction;
  if (billingRate === null) return sentMinor;
  if (kind !== "Refund" && isHeldInPart(transaction)) {
    return convertPaid(sentMinor, currency, billingCurrency, billingRate);
  }
  const wholeSent = wholeMinor(kind, stage, ownAmounts(transaction));
  const wholeBilled = wholeMinor(kind, stage, billingAmounts(transaction));
  if (sentMinor === wholeSent) return wholeBilled;
  const converted = convertPaid(sentMinor, currency, billingCurrency, billingRate);
  if (sentMinor < wholeSent) return smaller(converted, mostOfPart(kind, wholeBilled));
  // What is more than is left must not round down to it: it is refused, or marked as over-captured.
  return converted > wholeBilled ? converted : wholeBilled + 1n;
}

/**
 * What a part can come to. While something is left to be settled a cent stays held for it, even if the part
 * that is reversed then gives nothing back; what is paid or refunded is never nothing.
 */
const mostOfPart = (kind: Message["kind"], wholeBilled: bigint): bigint =>
  kind === "Reversal" && wholeBilled > 0n ? wholeBilled - 1n : wholeBilled;

const smaller = (a: bigint, b: bigint): bigint => (a < b ? a : b);

/** An advice holds as much as there was, to which nothing in the payment's own currency corresponds. */
function isHeldInPart(transaction: Transaction): boolean {
  const { heldMinor, billingAmountMinor, settledMinor, reversedMinor } = transaction;
  return heldMinor > 0n && heldMinor !== billingAmountMinor - settledMinor - reversedMinor;
}

/** What a step comes to in the payment's own currency, for its story. */
export function inOwnCurrency(
  transaction: Transaction,
  message: Message,
  { amountMinor }: Step,
): bigint {
  if (transaction.billingRate === null) return amountMinor;
  const sentMinor = message.kind === "Expiry" ? undefined : message.amountMinor;
  return sentMinor ?? wholeMinor(message.kind, transaction.stage, ownAmounts(transaction));
}

/** The amounts of a payment in its own currency, added up from its story. */
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
