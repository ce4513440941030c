import { describeTransaction } from "./describe.ts";
import { isPurchaseType, type Transaction } from "./transaction.ts";

/**
 * What an event that opens a payment tells: the payment as it was then, and what the event itself kept.
 * Whatever has changed in the payment since is undone here.
 */
export function describeOpeningEvent(
  transaction: Transaction,
  event: { createdAt: Date; data: object },
): Record<string, unknown> {
  const { type, stage, approved, events } = transaction;
  const opening = {
    ...transaction,
    stage: isPurchaseType(type) ? (approved ? "Authorization" : "Declined") : stage,
    settledMinor: 0n,
    reversedMinor: 0n,
    refundedMinor: 0n,
    overCaptured: false,
    events: events.slice(0, 1),
    updatedAt: event.createdAt,
  } satisfies Transaction;
  return Object.assign({ cardId: opening.cardId }, describeTransaction(opening), event.data);
}
