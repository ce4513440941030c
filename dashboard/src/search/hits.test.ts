import { expect, test } from "vitest";
import { groupsOf } from "./hits.ts";

const transaction = {
  transactionId: "txn_1",
  type: "Authorization",
  stage: "Settlement",
  amount: 42.5,
  currency: "USD",
  merchantName: "Corner Books",
} as const;

test("what was found is named as people know it", () => {
  const groups = groupsOf({
    cards: [
      {
        cardId: "card_1",
        maskedPan: "411111******1234",
        nameOnCard: "ADA OBI",
        type: "Retail",
        status: "Active",
      },
    ],
    customers: [{ customerId: "cus_1", name: "Ada Obi", clientReference: "staff-1" }],
    transactions: [transaction, { ...transaction, type: "TopUp", merchantName: null }],
  });
  expect(groups.flatMap(({ options }) => options.map(({ label }) => label))).toEqual([
    "•••• 1234 ADA OBI",
    "Ada Obi",
    "Corner Books",
    "Top-up",
  ]);
});
