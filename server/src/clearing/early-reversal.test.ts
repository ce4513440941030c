import { expect, test } from "vitest";
import { anyPurchase } from "../../test/harness/any-purchase.ts";
import { anyCard } from "../../test/harness/cards.ts";
import { decideAlone } from "../../test/harness/decide-alone.ts";
import { keptOf } from "../../test/harness/kept.ts";
import { authorize } from "../authorization/authorize.ts";
import type { Purchase } from "../authorization/purchase.ts";
import { cardCounters } from "../cards/kept-tables.ts";
import { DAY_MS } from "../foundation/dates.ts";
import type { Account } from "../ledger/accounts.ts";
import { networkReferenceOf, traceKey } from "../transactions/iso-name.ts";
import { paymentsByRetrieval } from "../transactions/iso-originals.ts";
import { earlyReversals } from "../transactions/unapplied-table.ts";
import { rememberReversal } from "./remember-reversal.ts";

const TOLD = new Date("2026-05-05T23:00:00Z");
const days = (count: number): Date => new Date(TOLD.getTime() + count * DAY_MS);

const card = anyCard("org_1");
const { organizationId } = card;
const fields = { trace: "000001", transmitted: "0505230000" };
const networkReference = networkReferenceOf({
  acquirer: "123456",
  retrieval: "RETRIEVAL001",
  ...fields,
});

const reversal = {
  card,
  networkReference: networkReferenceOf({
    acquirer: "123456",
    retrieval: "RETRIEVAL001",
    trace: "000002",
    transmitted: "0505230001",
  }),
  originalKey: traceKey(fields),
  originalAcquirer: "123456",
};

const purchase = (): Purchase => ({ ...anyPurchase(card, TOLD), networkReference });

/** What the account keeps of a card that a reversal has come for on a day, after what it has kept before. */
function keptAfter(now: Date, before: Account["kept"] = keptOf(card)): Account["kept"] {
  const { writes } = decideAlone(card, rememberReversal, reversal, { now, kept: before });
  const saved = writes.find(({ name }) => name === "accounts_save");
  return JSON.parse(String(saved?.values?.at(-1)))[0];
}

const earlyDay = (kept: Account["kept"]): number | undefined =>
  cardCounters.inAccount?.read({ organizationId, accountId: card.accountId, kept })[0]
    ?.earlyReversalDay;

test("the day of an early reversal is remembered, and does not go back with a clock that is behind", () => {
  const first = keptAfter(days(0));
  expect(earlyDay(first)).toBe(Math.floor(TOLD.getTime() / DAY_MS));
  expect(earlyDay(keptAfter(days(-2), first))).toBe(earlyDay(first));
  expect(earlyDay(keptAfter(days(3), first))).toBe((earlyDay(first) ?? 0) + 3);
});

test.each([
  [0, true],
  [89, true],
  [90, true],
  [91, false],
])(
  "%i days after one the reversals of a card are looked for: %s, all at once",
  (later, expected) => {
    const circumstances = { now: days(later), kept: keptAfter(days(0)) };
    const { lacking } = decideAlone(card, authorize, purchase(), circumstances);
    const loads = lacking.map(({ need }) => need.load);
    const looks = [...Array(4).fill(earlyReversals), paymentsByRetrieval];
    expect(loads).toEqual(expected ? looks : []);
  },
);

test("they are named beforehand where they are expected", () => {
  const expecting = { ...purchase(), expected: { listed: false, reversed: true } };
  const circumstances = { now: days(0), kept: keptAfter(days(0)) };
  const { lacking, verdicts } = decideAlone(card, authorize, expecting, circumstances);
  expect(lacking).toEqual([]);
  expect(verdicts).toMatchObject([{ answer: { extras: { reversed: true } } }]);
});

test("nothing is looked for where none ever came too early", () => {
  expect(decideAlone(card, authorize, purchase(), { now: TOLD }).lacking).toEqual([]);
});
