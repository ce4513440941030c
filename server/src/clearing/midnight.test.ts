import { expect, test } from "vitest";
import { anyPurchase } from "../../test/harness/any-purchase.ts";
import { anyCard } from "../../test/harness/cards.ts";
import { decideAlone } from "../../test/harness/decide-alone.ts";
import { keptOf } from "../../test/harness/kept.ts";
import { authorize } from "../authorization/authorize.ts";
import { dayOf } from "../authorization/spending.ts";
import type { CardCounters } from "../cards/card.ts";
import { cardCounters } from "../cards/kept-tables.ts";
import type { DecidedBatch } from "../engine/batch.ts";
import { type Load, need } from "../engine/table.ts";
import type { Account } from "../ledger/accounts.ts";
import { transactionById } from "../transactions/table.ts";
import type { Transaction } from "../transactions/transaction.ts";
import { followUp } from "./follow-up.ts";
import { post } from "./post.ts";

const MIDNIGHT = new Date("2026-03-02T00:00:00.000Z");
/** A process that is ahead, and one that is not. */
const AHEAD = new Date("2026-03-02T00:00:00.050Z");
const BEHIND = new Date("2026-03-01T23:59:59.950Z");

const card = anyCard("org_1");
const { organizationId, accountId } = card;

const keptAfter = ({ writes }: DecidedBatch): Account["kept"] => {
  const saved = writes.find(({ name }) => name === "accounts_save");
  return JSON.parse(String(saved?.values?.at(-1)))[0];
};

const spendingOf = (kept: Account["kept"]): Pick<CardCounters, "spentDay" | "spentMinor"> => {
  const [counters] = cardCounters.inAccount?.read({ organizationId, accountId, kept }) ?? [];
  return { spentDay: counters?.spentDay ?? 0, spentMinor: counters?.spentMinor ?? 0n };
};

const transactionIn = ({ verdicts }: DecidedBatch): Transaction =>
  (verdicts[0] as unknown as { answer: { transaction: Transaction } }).answer.transaction;

const wallet: Account = {
  organizationId,
  accountId: "wal_1",
  kind: "Wallet",
  currency: card.currency,
  postedMinor: 0n,
  heldMinor: 0n,
  kept: {},
  ctid: "(0,2)",
};

const movement = {
  card,
  fundingAccountId: accountId,
  walletId: wallet.accountId,
  entryId: "ent_1",
  payoutTransactionId: "txn_payout",
};

/** What the account keeps once a process that is ahead has begun the day. */
const begun = keptAfter(decideAlone(card, authorize, anyPurchase(card, AHEAD), { now: AHEAD }));

test("a purchase that a process before midnight decides is of the day that another has begun, and goes back to it", () => {
  expect(spendingOf(begun).spentDay).toBe(dayOf(MIDNIGHT));
  const bought = decideAlone(card, authorize, anyPurchase(card, BEHIND), {
    now: BEHIND,
    kept: begun,
  });
  const transaction = transactionIn(bought);
  expect(transaction).toMatchObject({ events: [{ at: MIDNIGHT.toISOString() }] });
  expect(spendingOf(keptAfter(bought))).toEqual({
    spentDay: dayOf(MIDNIGHT),
    spentMinor: spendingOf(begun).spentMinor + transaction.heldMinor,
  });

  const reversal = {
    ...movement,
    transactionId: transaction.transactionId,
    message: { kind: "Reversal" as const },
    networkReference: "a-reversal",
  };
  const reversed = decideAlone(card, followUp, reversal, {
    now: AHEAD,
    kept: keptAfter(bought),
    heldMinor: transaction.heldMinor,
    others: [wallet],
    found: [[need(transactionById, "").load as Load<never>, transaction]],
  });
  expect(transactionIn(reversed)).toMatchObject({ stage: "Reversal", heldMinor: 0n });
  expect(spendingOf(keptAfter(reversed))).toEqual(spendingOf(begun));
});

test("so is what is settled without an authorization", () => {
  const { merchant, transactionId } = anyPurchase(card, BEHIND);
  const settled = decideAlone(
    card,
    post,
    {
      ...movement,
      type: "Settlement",
      transactionId,
      amountMinor: 5_00n,
      currency: "USD",
      billing: { amountMinor: 5_00n, rate: null },
      merchant,
      networkReference: "a-post",
    },
    { now: BEHIND, kept: begun, others: [wallet] },
  );
  expect(transactionIn(settled)).toMatchObject({ events: [{ at: MIDNIGHT.toISOString() }] });
  expect(spendingOf(keptAfter(settled))).toEqual({
    spentDay: dayOf(MIDNIGHT),
    spentMinor: spendingOf(begun).spentMinor + 5_00n,
  });
});

test("a process that alone knows a card goes by its own clock", () => {
  const bought = decideAlone(card, authorize, anyPurchase(card, BEHIND), {
    now: BEHIND,
    kept: keptOf(card),
  });
  expect(transactionIn(bought)).toMatchObject({ events: [{ at: BEHIND.toISOString() }] });
});
