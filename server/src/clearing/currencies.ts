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
  if (message.kind === "Expiry") return message;
  if (message.amountMinor === 0n) return { refused: "INVALID_REQUEST_AMOUNT" };
  if (message.kind === "Settlement") return message;
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
 * and conversions round. So that parts add up to the whole all the same, it is what they come to together
 * that is converted, and a part is what it adds to those before it, which may be nothing.
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
  if (kind === "Reversal" && isHeldInPart(transaction)) return worth(sentMinor);
  const own = ownAmounts(transaction);
  const billing = billingAmounts(transaction);
  if (kind === "Settlement" && isReversedInPart(own, billing, worth)) return worth(sentMinor);
  const togetherMinor = doneMinor(kind, own) + sentMinor;
  // What is reversed leaves what the rest is worth.
  const convertedMinor =
    kind === "Reversal"
      ? billing.authorizedMinor - worth(own.authorizedMinor - togetherMinor)
      : worth(togetherMinor);
  const most = { own: mostMinor(kind, own), billing: mostMinor(kind, billing) };
  const billedMinor = bounded(kind, togetherMinor, convertedMinor, most);
  return larger(billedMinor - doneMinor(kind, billing), 0n);
}

/** All of one currency is all of the other, and less or more of one is not more or less of the other. */
function bounded(
  kind: Kind,
  ownMinor: bigint,
  convertedMinor: bigint,
  most: { own: bigint; billing: bigint },
): bigint {
  if (ownMinor === most.own) return most.billing;
  // It is refused, or marked as over-captured.
  if (ownMinor > most.own) return larger(convertedMinor, most.billing + 1n);
  // While something is left to be settled a cent stays held for it.
  return smaller(convertedMinor, kind === "Reversal" ? most.billing - 1n : most.billing);
}

/** How much has gone this way so far. */
function doneMinor(kind: Kind, { settledMinor, reversedMinor, refundedMinor }: Amounts): bigint {
  if (kind === "Settlement") return settledMinor;
  return kind === "Reversal" ? reversedMinor : refundedMinor;
}

/** How much can go this way in all, unless the merchant takes more than was authorized. */
function mostMinor(kind: Kind, { authorizedMinor, settledMinor, reversedMinor }: Amounts): bigint {
  if (kind === "Settlement") return authorizedMinor - reversedMinor;
  return kind === "Reversal" ? authorizedMinor - settledMinor : settledMinor;
}

const smaller = (a: bigint, b: bigint): bigint => (a < b ? a : b);
const larger = (a: bigint, b: bigint): bigint => (a > b ? a : b);

/** An advice holds as much as there was, to which nothing in the payment's own currency corresponds. */
function isHeldInPart(transaction: Transaction): boolean {
  const { heldMinor, billingAmountMinor, settledMinor, reversedMinor } = transaction;
  return heldMinor > 0n && heldMinor !== billingAmountMinor - settledMinor - reversedMinor;
}

/** What rounding may part two amounts by that mean the same. */
const ROUNDING_MINOR = 2n;

/** The same once its hold was taken back: the story tells of all of it, and of the money there was less. */
function isReversedInPart(
  own: Amounts,
  billing: Amounts,
  worth: (minor: bigint) => bigint,
): boolean {
  const leftMinor = billing.authorizedMinor - billing.reversedMinor;
  return leftMinor > worth(own.authorizedMinor - own.reversedMinor) + ROUNDING_MINOR;
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
