import { expect, test } from "vitest";
import { anyCard } from "../../../test/harness/cards.ts";
import { BatchView } from "../../engine/view.ts";
import { newId } from "../../foundation/ids.ts";
import type { Account } from "../../ledger/accounts.ts";
import { newCounters } from "../card.ts";
import { type Charge, MAX_TRIED } from "./charge.ts";
import { collectCharges } from "./collect.ts";

const NOW = new Date("2026-01-31T12:00:00Z");

const card = anyCard("org_1");

const account: Account = {
  organizationId: "org_1",
  accountId: card.accountId,
  kind: "Card",
  currency: "USD",
  postedMinor: 10_00n,
  heldMinor: 0n,
};

const charge = (chargeId: string, change: Partial<Charge> = {}): Charge => ({
  chargeId,
  cardId: card.cardId,
  accountId: card.accountId,
  transactionId: "txn_1",
  amountMinor: 1_00n,
  currency: "USD",
  status: "Pending",
  createdAt: NOW,
  collectedAt: null,
  ...change,
});

const collect = (charges: Charge[]) =>
  collectCharges(new BatchView([account]).of("org_1"), {
    charges,
    cards: [card],
    accounts: [account],
    counters: new Map([[card.cardId, newCounters(card)]]),
    transactionIds: charges.map(() => newId("txn", NOW.getTime())),
    now: NOW,
  });

const entries = (charges: Charge[]): string[] =>
  collect(charges).effects.postings.map(({ entryId }) => entryId);

test("a charge that an operation before this one has collected is not collected again", () => {
  const before = charge("chg_a", { status: "Collected", collectedAt: NOW });
  const { collected, effects, balancesMinor } = collect([before, charge("chg_b")]);
  expect(collected.map(({ chargeId }) => chargeId)).toEqual(["chg_b"]);
  expect(effects.postings).toMatchObject([{ entryId: "chg_b", amountMinor: 1_00n }]);
  expect(balancesMinor.get(account.accountId)).toBe(9_00n);
});

test("a charge that was found twice, by its card and by its account, is one", () => {
  expect(entries([charge("chg_a"), charge("chg_a")])).toEqual(["chg_a"]);
});

test("the oldest come first, in whatever order they were found", () => {
  const [a, b, c] = [charge("chg_a"), charge("chg_b"), charge("chg_c")];
  expect(entries([c, a, b])).toEqual(["chg_a", "chg_b", "chg_c"]);
});

test("each is told in an event of its own, numbered on from the card's last, with the balance it left", () => {
  const { effects, counters } = collect([charge("chg_a"), charge("chg_b")]);
  expect(effects.events).toMatchObject([
    { eventType: "charge.cross_border.collected", sequence: 1n, data: { cardBalance: 9 } },
    { eventType: "charge.cross_border.collected", sequence: 2n, data: { cardBalance: 8 } },
  ]);
  expect(counters.get(card.cardId)).toMatchObject({ eventSequence: 2n });
});

test.each([
  ["some of all that one step looks at were paid", MAX_TRIED, 1_00n, true],
  ["none of them could be paid: the next step would find the same", MAX_TRIED, 11_00n, false],
  ["there were fewer, some of them paid: these are all", MAX_TRIED - 1, 1_00n, false],
])("whether another step may find more, where %s", (_what, count, first, hasMore) => {
  const charges = Array.from({ length: count }, (_, n) =>
    charge(`chg_${String(n).padStart(4, "0")}`, { amountMinor: n === 0 ? first : 11_00n }),
  );
  expect(collect(charges)).toMatchObject({
    hasMore,
    collected: { length: first === 1_00n ? 1 : 0 },
  });
});
