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

test("an answer repeats what its message is known by, and nothing secret", () => {
  const repeated = {
    2: "4111111111111111",
    3: "000000",
    4: "000000002550",
    7: "0131120000",
    11: "000001",
    12: "120000",
    13: "0131",
    32: "412345",
    37: "603100000001",
    41: "TERM0001",
    42: "SHOP".padEnd(15),
    49: "840",
  };
  const request = { mti: "0100", fields: { ...repeated, 14: "3012", 48: "9203123" } } as const;
  expect(answerTo(request, { responseCode: "188" })).toEqual({
    mti: "0110",
    fields: { ...repeated, 39: "N7" },
  });
  const original = "0".repeat(42);
  const reversal = { mti: "0420", fields: { 11: "000002", 90: original } } as const;
  expect(answerTo(reversal, { responseCode: "000" })).toEqual({
    mti: "0430",
    fields: { 11: "000002", 39: "00", 90: original },
  });
});

test.each([
  ["the whole payment", { 4: "000000010000" }, "0.65", "000000006500"],
  ["a part of it", { 4: "000000004000" }, "0.65", undefined],
  ["what remains of it", { 4: "000000010000", 95: "0".repeat(42) }, "0.65", undefined],
  ["a payment in the card's own currency", { 4: "000000010000" }, null, undefined],
])("%s tells what is billed, or not", (_what, amounts, billingRate, billed) => {
  const transaction = {
    amountMinor: 100_00n,
    billingRate,
    billingAmountMinor: 65_00n,
    billingCurrency: "USD",
  } as unknown as Transaction;
  const message = { mti: "0220", fields: { ...amounts, 11: "000001", 49: "978" } } as const;
  expect(answerTo(message, { responseCode: "000", transaction })?.fields[6]).toBe(billed);
});
