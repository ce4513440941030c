import fc from "fast-check";
import { expect, test } from "vitest";
import { affordable } from "./affordable.ts";
import type { Charge } from "./charge.ts";

const charge = (chargeId: string, amountMinor: bigint, accountId = "acc_1"): Charge => ({
  chargeId,
  cardId: "card_1",
  accountId,
  transactionId: "txn_1",
  amountMinor,
  currency: "USD",
  status: "Pending",
  createdAt: new Date(0),
  collectedAt: null,
});

const ids = (charges: Charge[]): string => charges.map(({ chargeId }) => chargeId).join(" ");

test.each<[string, bigint, bigint[], string, string]>([
  ["nothing is owed", 100n, [], "", ""],
  ["all fit", 600n, [100n, 200n, 300n], "a b c", ""],
  ["the last does not", 599n, [100n, 200n, 300n], "a b", "c"],
  ["one that is too large lets smaller ones pass", 300n, [500n, 200n, 100n], "b c", "a"],
  ["never a part of one", 99n, [100n], "", "a"],
  ["what an earlier one took is gone", 250n, [200n, 100n, 50n], "a c", "b"],
  ["there is nothing", 0n, [1n], "", "a"],
  ["the balance is negative", -50n, [1n], "", "a"],
])("%s", (_what, availableMinor, amounts, paid, left) => {
  const charges = amounts.map((amount, n) => charge("abc"[n] ?? "", amount));
  const result = affordable(charges, new Map([["acc_1", availableMinor]]), 3);
  expect([ids(result.paid), ids(result.left)]).toEqual([paid, left]);
});

test("each account pays its own, and one that is not there pays nothing", () => {
  const charges = [charge("a", 50n), charge("b", 50n, "wal_1"), charge("c", 1n, "acc_2")];
  const available = new Map([
    ["acc_1", 40n],
    ["wal_1", 50n],
  ]);
  const result = affordable(charges, available, 3);
  expect([ids(result.paid), ids(result.left)]).toEqual(["b", "a c"]);
});

test("what is more than one step may collect is left, the oldest are not", () => {
  const charges = [charge("a", 1n), charge("b", 500n), charge("c", 1n), charge("d", 1n)];
  const available = new Map([["acc_1", 100n]]);
  const { paid, left, hasMore } = affordable(charges, available, 2);
  expect([ids(paid), ids(left), hasMore]).toEqual(["a c", "b d", true]);
  expect(affordable(charges, available, 3).hasMore).toBe(false);
});

test("never more than there is, never one that fits left out, nothing lost", () => {
  fc.assert(
    fc.property(
      fc.bigInt({ min: -100n, max: 1000n }),
      fc.array(fc.bigInt({ min: 1n, max: 500n }), { maxLength: 12 }),
      (availableMinor, amounts) => {
        const charges = amounts.map((amount, n) => charge(String(n), amount));
        const { paid, left } = affordable(charges, new Map([["acc_1", availableMinor]]), 12);
        const spentMinor = paid.reduce((sum, { amountMinor }) => sum + amountMinor, 0n);
        const restMinor = availableMinor - spentMinor;
        if (paid.length > 0) expect(restMinor >= 0n).toBe(true);
        for (const { amountMinor } of left) expect(amountMinor > restMinor).toBe(true);
        expect([...paid, ...left].sort((a, b) => Number(a.chargeId) - Number(b.chargeId))).toEqual(
          charges,
        );
      },
    ),
  );
});
