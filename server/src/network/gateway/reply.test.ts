import { expect, test } from "vitest";
import type { Account } from "../../ledger/accounts.ts";
import type { Transaction } from "../../transactions/transaction.ts";
import { answerTo } from "./reply.ts";

const account: Account = {
  organizationId: "org_1",
  accountId: "acc_card",
  kind: "Card",
  currency: "USD",
  postedMinor: 48_20n,
  heldMinor: 20n,
};

const paidBy = (accountId: string): Transaction =>
  ({
    accountId,
    billingRate: null,
    billingAmountMinor: 50_00n,
    billingCurrency: "USD",
  }) as Transaction;

test.each([
  ["an approval", "000", "acc_card", "0002840C000000004800"],
  ["a decline for lack of the card's own money", "116", "acc_card", "0002840C000000004800"],
  ["a decline for lack of somebody else's", "116", "wal_1", undefined],
  ["any other decline", "188", "acc_card", undefined],
])("%s tells what is available on the card, or not", (_what, responseCode, payer, expected) => {
  const message = { mti: "0100", fields: { 11: "000001" } } as const;
  const answer = answerTo(message, { responseCode, transaction: paidBy(payer), account });
  expect(answer?.fields[54]).toBe(expected);
});
