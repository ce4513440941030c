import type { CodeName } from "../foundation/codes.ts";
import { rateOf } from "../foundation/fx.ts";
import { larger, smaller } from "../foundation/money.ts";
import { isPurchaseType, type Transaction } from "../transactions/transaction.ts";

/** What a payment's life depends on; all amounts in the billing currency. */
export type Payment = Pick<
  Transaction,
  | "type"
  | "stage"
  | "billingAmountMinor"
  | "heldMinor"
  | "settledMinor"
  | "reversedMinor"
  | "refundedMinor"
  | "overCaptured"
  | "expiresAt"
  | "events"
>;

/**
 * What may happen to a payment after it was decided. Without an amount, all that is left is meant. An amount of
 * 0 is a part in another currency that adds less than a minor unit to the parts before it.
 */
export type Message =
  | {
      kind: "Settlement";
      amountMinor?: bigint | undefined;
      isPartial: boolean;
      toleranceBps: number;
      /** It came in one message with the purchase: what is reversed of that by then is not settled. */
      isImmediate?: boolean | undefined;
    }
  | {
      kind: "Reversal";
      amountMinor?: bigint | undefined;
      remainingMinor?: bigint | undefined;
      /** Its amount is of the payment, of which an advice may hold only a part, rather than of the hold. */
      isOfPayment?: boolean | undefined;
    }
  | {
      kind: "Refund";
      amountMinor?: bigint | undefined;
      remainingMinor?: bigint | undefined;
      /** It is a reversal, of what was settled in one message with the purchase. */
      isReversal?: boolean | undefined;
    }
  | { kind: "Expiry" };

/** What a message does. */
export interface Step {
  requestType: "Settlement" | "PartialReversal" | "Reversal" | "Refund" | "Expiry";
  amountMinor: bigint;
  after: Pick<
    Payment,
    "stage" | "heldMinor" | "settledMinor" | "reversedMinor" | "refundedMinor" | "overCaptured"
  >;
}

type Taken = Step | { refused: CodeName };

const ILLEGAL: Taken = { refused: "INVALID_TRANSACTION" };

/** Takes a payment one step further, or says why that is illegal. Pure; the whole life is in this file. */
export function take(payment: Payment, message: Message, now: Date): Taken {
  switch (message.kind) {
    case "Settlement":
      return settle(payment, message);
    case "Reversal":
      return reverse(payment, message);
    case "Refund":
      return refund(payment, message.amountMinor);
    case "Expiry":
      return expire(payment, now);
  }
}

/** A payment's amounts, all in one currency. */
export interface Amounts {
  authorizedMinor: bigint;
  heldMinor: bigint;
  settledMinor: bigint;
  reversedMinor: bigint;
  refundedMinor: bigint;
}

export function billingAmounts(payment: Payment): Amounts {
  const { billingAmountMinor: authorizedMinor, heldMinor } = payment;
  const { settledMinor, reversedMinor, refundedMinor } = payment;
  return { authorizedMinor, heldMinor, settledMinor, reversedMinor, refundedMinor };
}

/** What is still to be settled or reversed; an advice may hold less. */
export const openOf = ({ authorizedMinor, settledMinor, reversedMinor }: Amounts): bigint =>
  authorizedMinor - settledMinor - reversedMinor;

/** What a message without an amount means. */
export function wholeMinor(
  kind: Message["kind"],
  { stage, events }: Pick<Payment, "stage" | "events">,
  amounts: Amounts,
): bigint {
  const { authorizedMinor, heldMinor, settledMinor, reversedMinor, refundedMinor } = amounts;
  if (kind === "Refund") return settledMinor - refundedMinor;
  if (kind !== "Settlement") return heldMinor;
  if (heldMinor > 0n) return openOf(amounts);
  // The hold is gone, or there was nothing to hold, and the merchant settles what was authorized all the same.
  if (stage === "Expired" || stage === "Authorization") return authorizedMinor - reversedMinor;
  if (stage === "Reversal") return authorizedMinor;
  // So it is with the rest of what was settled in part, and expired since, whatever was refunded of that part.
  const last = events.findLast(({ requestType }) => requestType !== "Refund");
  return last?.requestType === "Expiry" ? openOf(amounts) : 0n;
}

/**
 * Captures, and cannot be refused for lack of a hold: after expiry or reversal it posts on the same record,
 * and beyond what was authorized it is marked. What is left of the hold is released, unless more follows.
 */
function settle(
  payment: Payment,
  { amountMinor, isPartial, toleranceBps, isImmediate }: Extract<Message, { kind: "Settlement" }>,
): Taken {
  if (isImmediate === true && wasReversed(payment)) return ALREADY_REVERSED;
  if (!isSettleable(payment)) return ILLEGAL;
  const wantedMinor = amountMinor ?? wholeMinor("Settlement", payment, billingAmounts(payment));
  if (wantedMinor === 0n && amountMinor === undefined) return ILLEGAL;
  const settledMinor = payment.settledMinor + wantedMinor;
  const keptMinor = isPartial ? larger(payment.heldMinor - wantedMinor, 0n) : 0n;
  const dueMinor = payment.billingAmountMinor - payment.reversedMinor;
  const isOver = settledMinor > dueMinor + rateOf(dueMinor, toleranceBps);
  return {
    requestType: "Settlement",
    amountMinor: wantedMinor,
    after: {
      ...asBefore(payment),
      stage: "Settlement",
      heldMinor: keptMinor,
      settledMinor,
      overCaptured: payment.overCaptured || isOver,
    },
  };
}

/** A purchase, or what was posted without one. */
const isPayment = ({ type }: Payment): boolean => type === "Settlement" || isPurchaseType(type);

const isSettleable = (payment: Payment): boolean =>
  isPayment(payment) && payment.stage !== "Declined";

/**
 * Releases what is held, or part of it; after a partial settlement, the rest. Where less is held than is open, as
 * after an advice, what remains of the payment is held as far as it was, and with the last of the hold all that was
 * open is reversed.
 */
function reverse(
  payment: Payment,
  { amountMinor, isOfPayment }: Extract<Message, { kind: "Reversal" }>,
): Taken {
  if (payment.heldMinor === 0n) return wasReversed(payment) ? ALREADY_REVERSED : ILLEGAL;
  const openMinor = openOf(billingAmounts(payment));
  const mostMinor = isOfPayment === true ? openMinor : payment.heldMinor;
  const wantedMinor = amountMinor ?? mostMinor;
  if (wantedMinor > mostMinor) return { refused: "AMOUNT_EXCEEDS_PREAUTH" };
  const heldMinor = smaller(payment.heldMinor, mostMinor - wantedMinor);
  const isLast = heldMinor === 0n;
  const takenMinor = isLast ? openMinor : wantedMinor;
  return {
    requestType: isLast ? "Reversal" : "PartialReversal",
    amountMinor: takenMinor,
    after: {
      ...asBefore(payment),
      stage: isLast && payment.settledMinor === 0n ? "Reversal" : payment.stage,
      heldMinor,
      reversedMinor: payment.reversedMinor + takenMinor,
    },
  };
}

const ALREADY_REVERSED: Taken = { refused: "ALREADY_REVERSED" };

/** Whether it was a reversal that took the last of the hold. */
export const wasReversed = ({ events }: Payment): boolean =>
  events.some(({ requestType }) => requestType === "Reversal");

/** Gives back what was settled, or part of it; as long as nobody has settled it, that is nothing. */
function refund(payment: Payment, amountMinor?: bigint): Taken {
  if (!isPayment(payment)) return ILLEGAL;
  const leftMinor = payment.settledMinor - payment.refundedMinor;
  const wantedMinor = amountMinor ?? leftMinor;
  const isNothingLeft = wantedMinor === 0n && amountMinor === undefined;
  if (isNothingLeft || wantedMinor > leftMinor) {
    return { refused: "TRANSACTION_AMOUNT_DIFFERS" };
  }
  return {
    requestType: "Refund",
    amountMinor: wantedMinor,
    after: {
      ...asBefore(payment),
      stage: "Refund",
      refundedMinor: payment.refundedMinor + wantedMinor,
    },
  };
}

/**
 * What nobody claimed in time is given back. An authorization that the network gave in our place ends even
 * where there was nothing to hold; a verification of 0 has nothing that could end.
 */
function expire(payment: Payment, now: Date): Taken {
  const { heldMinor, settledMinor, expiresAt, stage, billingAmountMinor } = payment;
  const isOpen = heldMinor > 0n || (stage === "Authorization" && billingAmountMinor > 0n);
  if (!isOpen || expiresAt === null || expiresAt > now) return ILLEGAL;
  return {
    requestType: "Expiry",
    amountMinor: heldMinor,
    after: {
      ...asBefore(payment),
      stage: settledMinor === 0n ? "Expired" : stage,
      heldMinor: 0n,
    },
  };
}

/** What a step leaves of a payment if it changes nothing. */
function asBefore(payment: Payment): Step["after"] {
  const { stage, heldMinor, settledMinor, reversedMinor, refundedMinor, overCaptured } = payment;
  return { stage, heldMinor, settledMinor, reversedMinor, refundedMinor, overCaptured };
}
