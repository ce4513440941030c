import { expect, test } from "vitest";
import { describeTransaction } from "./describe.ts";
import { describeOpeningEvent } from "./opening-event.ts";
import type { Transaction } from "./transaction.ts";

const decidedAt = new Date("2026-03-01T10:00:00.123Z");
const begun: Transaction = {
  transactionId: "txn_1",
  cardId: "card_1",
  customerId: "cus_1",
  accountId: "acc_1",
  type: "Authorization",
  stage: "Authorization",
  approved: true,
  responseCode: "000",
  amountMinor: 2_500n,
  currency: "EUR",
  billingAmountMinor: 2_700n,
  billingCurrency: "USD",
  heldMinor: 2_700n,
  settledMinor: 0n,
  reversedMinor: 0n,
  refundedMinor: 0n,
  overCaptured: false,
  merchant: { mid: "M1", mcc: "5411", name: "Shop", city: "Berlin", country: "DE" },
  entryMode: "Ecommerce",
  approvalCode: "123456",
  networkReference: "ref-1",
  transferId: null,
  events: [{ requestType: "Authorization", amount: 25, responseCode: "000", at: "2026-03-01" }],
  billingRate: "1.08",
  expiresAt: new Date("2026-03-08T10:00:00Z"),
  decision: null,
  createdAt: new Date("2026-03-01T10:00:00.000Z"),
  updatedAt: decidedAt,
};
const settlement = { requestType: "Settlement", amount: 30, responseCode: "000", at: "2026-03-02" };

test.each<[string, Transaction, Partial<Transaction>]>([
  [
    "a purchase that was settled for more",
    begun,
    { stage: "Settlement", settledMinor: 3_000n, overCaptured: true },
  ],
  [
    "one that was settled in part and reversed",
    begun,
    { stage: "Reversal", settledMinor: 9n, reversedMinor: 2_691n },
  ],
  [
    "one that was refunded",
    begun,
    { stage: "Refund", settledMinor: 2_700n, refundedMinor: 2_700n },
  ],
  ["one that expired", begun, { stage: "Expired" }],
  [
    "a decline",
    { ...begun, stage: "Declined", approved: false, responseCode: "116", heldMinor: 0n },
    {},
  ],
  [
    "money that moved at once",
    { ...begun, type: "TopUp", stage: "Completed", heldMinor: 0n, events: [] },
    {},
  ],
])("what %s began with can still be told, word for word", (_, before, change) => {
  // As events were stored when they still were whole: with the card in front.
  const { cardId, ...rest } = describeTransaction(before);
  const told = JSON.stringify({ cardId, ...rest, cardBalance: 12.5 });
  const events = before.events.length === 0 ? [] : [...before.events, settlement];
  const later = { ...before, heldMinor: 0n, ...change, events, updatedAt: new Date() };
  const { heldAmount } = describeTransaction(before);
  const data = { heldAmount, cardBalance: 12.5 };
  expect(JSON.stringify(describeOpeningEvent(later, { createdAt: decidedAt, data }))).toBe(told);
});
