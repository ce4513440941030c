import fc from "fast-check";
import { expect, test } from "vitest";
import { newId } from "../../foundation/ids.ts";
import type { CardFacts, CardStatus } from "../card.ts";
import { dueToWalletMinor, payoutIfDue } from "./payout.ts";

const TRANSACTION_ID = newId("txn", Date.UTC(2026, 0, 1));

const statuses = (text: string) =>
  text.split(" ").map((status) => ({ status: status as CardStatus }));

test.each<[string, string, bigint, bigint, bigint]>([
  ["the last card is terminated", "Terminated", 500n, 0n, 500n],
  ["all cards are", "Terminated Terminated", 500n, 0n, 500n],
  ["one is active", "Terminated Active", 500n, 0n, 0n],
  ["one is only frozen", "Frozen", 500n, 0n, 0n],
  ["something is held, however little", "Terminated", 500n, 1n, 0n],
  ["there is nothing", "Terminated", 0n, 0n, 0n],
  ["the balance is negative: it stays", "Terminated", -500n, 0n, 0n],
])("%s", (_what, cards, postedMinor, heldMinor, dueMinor) => {
  expect(dueToWalletMinor({ postedMinor, heldMinor }, statuses(cards))).toBe(dueMinor);
});

const card: CardFacts = {
  cardId: "card_1",
  customerId: "cus_1",
  accountId: "acc_1",
  type: "Retail",
  currency: "USD",
  programmeId: "usd-us",
  isGuest: false,
};

/** A credit that arrives at a closed account, and what is paid out in its entry. */
function credit(balanceMinor: bigint, amountMinor: bigint, heldMinor = 0n) {
  return payoutIfDue({
    transactionId: TRANSACTION_ID,
    entryId: "jrn_credit",
    card,
    cards: statuses("Terminated"),
    account: { postedMinor: balanceMinor + amountMinor, heldMinor },
    wallet: {
      organizationId: "org_1",
      accountId: "wal_1",
      kind: "Wallet",
      currency: "USD",
      postedMinor: 10_00n,
      heldMinor: 0n,
    },
    now: new Date("2026-01-01T00:00:00.000Z"),
  });
}

test("a late credit first cures a negative balance, the rest goes to the wallet in its entry", () => {
  const paid = credit(-5_00n, 8_00n);
  expect(paid?.effects.postings).toEqual([
    {
      entryId: "jrn_credit",
      kind: "TerminationPayout",
      debitAccountId: "acc_1",
      creditAccountId: "wal_1",
      amountMinor: 3_00n,
      currency: "USD",
      transactionId: TRANSACTION_ID,
    },
  ]);
  expect(paid?.described).toMatchObject({
    transactionId: TRANSACTION_ID,
    cardId: "card_1",
    type: "TerminationPayout",
    stage: "Completed",
    amount: 3,
    cardBalance: 0,
    walletBalance: 13,
  });
  expect(paid?.effects.rows).toHaveLength(1);
});

test("a closed account ends at zero, below zero, or with what is held on it", () => {
  const minor = fc.bigInt({ min: -1000n, max: 1000n });
  fc.assert(
    fc.property(
      minor,
      fc.bigInt({ min: 1n, max: 1000n }),
      fc.boolean(),
      (before, amount, isHeld) => {
        const paid = credit(before, amount, isHeld ? 1n : 0n);
        const [posting] = paid?.effects.postings ?? [];
        const leftMinor = before + amount - (posting?.amountMinor ?? 0n);
        if (isHeld) expect(leftMinor).toBe(before + amount);
        else expect(leftMinor <= 0n).toBe(true);
        if (posting !== undefined) expect(leftMinor).toBe(0n);
      },
    ),
  );
});
