import fc from "fast-check";
import { expect, test } from "vitest";
import { anyCard } from "../../../test/harness/cards.ts";
import { keptOf } from "../../../test/harness/kept.ts";
import type { Statement } from "../../db/lane.ts";
import { annexById } from "../../engine/annexes.ts";
import { decideBatch, type Job } from "../../engine/batch.ts";
import type { Operation } from "../../engine/operation.ts";
import type { LoadedRows } from "../../engine/rows.ts";
import type { Load } from "../../engine/table.ts";
import { newId } from "../../foundation/ids.ts";
import type { Account } from "../../ledger/accounts.ts";
import type { Card } from "../card.ts";
import { topUp } from "./top-up.ts";
import { transfer } from "./transfer.ts";
import { withdrawal } from "./withdrawal.ts";

const NOW = new Date("2026-01-01T00:00:00.000Z");
const organizationId = "org_1";
const MINIMUM_LEFT_MINOR = 100n;

const CTID = "(0,1)";
const account = (accountId: string, postedMinor: bigint, heldMinor = 0n): Account => ({
  organizationId,
  accountId,
  kind: accountId.startsWith("wal") ? "Wallet" : "Card",
  currency: "USD",
  postedMinor,
  heldMinor,
  kept: keptBy(accountId),
  ctid: CTID,
});

function keptBy(accountId: string): Account["kept"] {
  const [own, guest] = cards.filter((card) => card.accountId === accountId);
  return { ...(own && keptOf(own)), ...(guest && { annexes: true }) };
}

const card = (cardId: string, accountId: string, change: Partial<Card> = {}) => ({
  ...anyCard(organizationId),
  cardId,
  accountId,
  ...change,
});

/** Two that share a balance, one of its own, and one of each that money must not leave or reach. */
const cards = [
  card("card_1", "acc_1"),
  card("card_2", "acc_1", { isGuest: true }),
  card("card_3", "acc_2"),
  card("card_4", "acc_3", { status: "Frozen" }),
  card("card_5", "acc_4", { type: "Lite" }),
];

/** What a lane has read of them. */
const annexesRead = (): LoadedRows[] => {
  const guests = cards.filter(({ isGuest }) => isGuest);
  return [
    {
      load: annexById as unknown as Load<never>,
      keys: guests.map(({ cardId }) => ({ organizationId, id: cardId })),
      rows: guests.map((guest) => ({
        organizationId,
        annexId: guest.cardId,
        accountId: guest.accountId,
        kept: keptOf(guest),
        ctid: CTID,
      })),
    },
  ];
};

type Move = { kind: "topUp" | "withdraw" | "transfer"; from: number; to: number; amount: number };

const anyMove: fc.Arbitrary<Move> = fc.record({
  kind: fc.constantFrom("topUp" as const, "withdraw" as const, "transfer" as const),
  from: fc.nat(cards.length - 1),
  to: fc.nat(cards.length - 1),
  amount: fc.integer({ min: 1, max: 400 }),
});

function jobOf({ kind, from, to, amount }: Move): Job {
  const [source, beneficiary] = [cards[from], cards[to]];
  const transactionId = newId("txn", NOW.getTime());
  const amountMinor = BigInt(amount);
  const common = { transactionId, card: source, walletId: "wal_1", amountMinor };
  const [operation, input] = {
    topUp: [topUp, { ...common, maximumMinor: 300n }],
    withdraw: [withdrawal, { ...common, minimumLeftMinor: MINIMUM_LEFT_MINOR }],
    transfer: [
      transfer,
      {
        transactionId,
        beneficiaryTransactionId: `${transactionId}b`,
        source,
        beneficiary,
        amountMinor,
      },
    ],
  }[kind] as [Operation<unknown, unknown>, unknown];
  return { operation, organizationId, input, claim: undefined };
}

const totalOf = (accounts: { postedMinor: bigint }[]): bigint =>
  accounts.reduce((sum, { postedMinor }) => sum + postedMinor, 0n);

/** What the batch would write to the accounts that it moved. */
function writtenBalances(writes: Statement[]): Map<string, bigint> {
  const [, , ids, posted] = writes.find(({ name }) => name === "accounts_save")?.values ?? [];
  const elements = (array: unknown): string[] => String(array ?? "{}").match(/[\w-]+/g) ?? [];
  const balances = elements(posted).map(BigInt);
  return new Map(elements(ids).map((accountId, index) => [accountId, balances[index] ?? 0n]));
}

test("whatever is moved in one batch, no money is made or lost and nobody gives what they must keep", () => {
  fc.assert(
    fc.property(fc.array(anyMove, { maxLength: 30 }), (moves) => {
      const accounts = [
        account("wal_1", 1000n, 200n),
        account("acc_1", 500n, 150n),
        account("acc_2", 50n),
        account("acc_3", 300n),
        account("acc_4", 300n),
      ];
      const loaded = { accounts, rows: annexesRead(), known: [], generation: 1 };
      const { verdicts, writes } = decideBatch(moves.map(jobOf), loaded, NOW);

      const written = writtenBalances(writes);
      const after = accounts.map(({ accountId, postedMinor, heldMinor }) => ({
        postedMinor: written.get(accountId) ?? postedMinor,
        heldMinor,
      }));
      expect(totalOf(after)).toBe(totalOf(accounts));
      const [wallet, shared, single, frozen, lite] = after.map(
        ({ postedMinor, heldMinor }) => postedMinor - heldMinor,
      ) as [bigint, bigint, bigint, bigint, bigint];
      expect([wallet >= 0n, shared >= 0n, single >= 0n]).toEqual([true, true, true]);
      expect(frozen >= 300n).toBe(true);
      expect(lite).toBe(300n);
      for (const [index, verdict] of verdicts.entries()) {
        const move = moves[index];
        if (move?.kind !== "withdraw" || "failure" in verdict) continue;
        const { cardBalance } = verdict.answer as { cardBalance: number };
        const heldMinor = cards[move.from]?.accountId === "acc_1" ? 150 : 0;
        expect(Math.round(cardBalance * 100)).toBeGreaterThanOrEqual(
          Number(MINIMUM_LEFT_MINOR) + heldMinor,
        );
      }
    }),
  );
});
