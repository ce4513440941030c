import type { CodeName } from "../foundation/codes.ts";
import { rateOf } from "../foundation/fx.ts";
import type { Transaction } from "../transactions/transaction.ts";

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
>;

/** What may happen to a payment after it was decided. Without an amount all that is left is meant. */
export type Message =
  | {
      kind: "Settlement";
      amountMinor?: bigint | undefined;
      isPartial: boolean;
      toleranceBps: number;
    }
  | { kind: "Reversal"; amountMinor?: bigint | undefined }
  | { kind: "Refund"; amountMinor?: bigint | undefined }
  | { kind: "Expiry" };

/** What a message does. */
export interface Step {
  requestType: "Settlement" | "PartialReversal" | "Reversal" | "Refund" | "Expiry";
  amountMinor: bigint;
  after: Payment;
}

type Taken = Step | { refused: CodeName };

const ILLEGAL: Taken = { refused: "INVALID_TRANSACTION" };

/** Takes a payment one step further, or says why that is illegal. Pure; the whole life is in this file. */
export function take(payment: Payment, message: Message): Taken {
  switch (message.kind) {
    case "Settlement":
      return settle(payment, message);
    case "Reversal":
      return reverse(payment, message.amountMinor);
    case "Refund":
      return refund(payment, message.amountMinor);
    case "Expiry":
      return expire(payment);
  }
}

const isPurchase = ({ type }: Payment): boolean =>
  type === "Authorization" || type === "PreAuthorization" || type === "CashWithdrawal";

/**
 * Captures, and cannot be refused for lack of a hold: after expiry or reversal it posts on the same record,
 * and beyond what was authorized it is marked. What is left of the hold is released, unless more follows.
 */
function settle(
  payment: Payment,
  { amountMinor, isPartial, toleranceBps }: Extract<Message, { kind: "Settlement" }>,
): Taken {
  const isForcePost = payment.type === "Settlement";
  if (!(isPurchase(payment) || isForcePost) || payment.stage === "Declined") return ILLEGAL;
  const wantedMinor = amountMinor ?? settleableMinor(payment);
  if (wantedMinor === 0n) return ILLEGAL;
  const settledMinor = payment.settledMinor + wantedMinor;
  const keptMinor = isPartial ? larger(payment.heldMinor - wantedMinor, 0n) : 0n;
  const dueMinor = payment.billingAmountMinor - payment.reversedMinor;
  const isOver = settledMinor > dueMinor + rateOf(dueMinor, toleranceBps);
  return {
    requestType: "Settlement",
    amountMinor: wantedMinor,
    after: {
      ...payment,
      stage: "Settlement",
      heldMinor: keptMinor,
      settledMinor,
      overCaptured: payment.overCaptured || isOver,
    },
  };
}

/** What a settlement without an amount means: the hold or, where it is gone, what was authorized. */
function settleableMinor({ stage, heldMinor, billingAmountMinor }: Payment): bigint {
  if (heldMinor > 0n) return heldMinor;
  return stage === "Expired" || stage === "Reversal" ? billingAmountMinor : 0n;
}

/** Releases what is held, or part of it; after a partial settlement, the rest. */
function reverse(payment: Payment, amountMinor = payment.heldMinor): Taken {
  if (!isPurchase(payment)) return ILLEGAL;
  if (payment.heldMinor === 0n) {
    return payment.reversedMinor > 0n ? { refused: "ALREADY_REVERSED" } : ILLEGAL;
  }
  if (amountMinor > payment.heldMinor) return { refused: "AMOUNT_EXCEEDS_PREAUTH" };
  const heldMinor = payment.heldMinor - amountMinor;
  const isOver = heldMinor === 0n && payment.settledMinor === 0n;
  return {
    requestType: heldMinor === 0n ? "Reversal" : "PartialReversal",
    amountMinor,
    after: {
      ...payment,
      stage: isOver ? "Reversal" : payment.stage,
      heldMinor,
      reversedMinor: payment.reversedMinor + amountMinor,
    },
  };
}

/** Gives back what was settled, or part of it. */
function refund(
  payment: Payment,
  amountMinor = payment.settledMinor - payment.refundedMinor,
): Taken {
  if (payment.settledMinor === 0n) return ILLEGAL;
  const leftMinor = payment.settledMinor - payment.refundedMinor;
  if (amountMinor === 0n || amountMinor > leftMinor)
    return { refused: "TRANSACTION_AMOUNT_DIFFERS" };
  return {
    requestType: "Refund",
    amountMinor,
    after: { ...payment, stage: "Refund", refundedMinor: payment.refundedMinor + amountMinor },
  };
}

/** A hold that nobody claimed in time is given back. */
function expire(payment: Payment): Taken {
  if (payment.heldMinor === 0n) return ILLEGAL;
  return {
    requestType: "Expiry",
    amountMinor: payment.heldMinor,
    after: {
      ...payment,
      stage: payment.settledMinor === 0n ? "Expired" : payment.stage,
      heldMinor: 0n,
    },
  };
}

const larger = (a: bigint, b: bigint): bigint => (a > b ? a : b);
