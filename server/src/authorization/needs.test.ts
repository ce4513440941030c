import { expect, test } from "vitest";
import { anyPurchase } from "../../test/harness/any-purchase.ts";
import { anyCard } from "../../test/harness/cards.ts";
import { decideAlone } from "../../test/harness/decide-alone.ts";
import { keptOf } from "../../test/harness/kept.ts";
import type { Card } from "../cards/card.ts";
import { pendingChargesOfCard } from "../cards/charges/table.ts";
import { merchantOfCard, merchantsOfCard } from "../cards/merchant-table.ts";
import { cardById } from "../cards/tables.ts";
import { annexById } from "../engine/annexes.ts";
import { type Load, need, type Owned } from "../engine/table.ts";
import { authorize } from "./authorize.ts";
import type { Extras } from "./expectations.ts";

const NOW = new Date("2026-05-05T12:00:00Z");
const card = anyCard("org_1");

const loadOf = <Row extends object>(load: Load<Row>): Load<never> => need(load, "").load;
const namedBy = (of: Owned<Card>, expected?: Extras) =>
  authorize.needs?.({ ...anyPurchase(of, NOW), expected }).map(({ load }) => load);
const LISTED: Extras = { listed: true, reversed: false };

/** Of a card with a merchant on its blacklist. */
function keptWithLists(of = card): Record<string, unknown> {
  const [counted] = keptOf(of).counters as [object];
  return { ...keptOf(of), counters: [{ ...counted, mids: [0, 1] }] };
}

test("a plain purchase that the network did not name needs nothing but its account", () => {
  expect(namedBy(card)).toEqual([]);
  const { lacking, verdicts } = decideAlone(card, authorize, anyPurchase(card, NOW), { now: NOW });
  expect(lacking).toEqual([]);
  expect(verdicts).toMatchObject([{ answer: { extras: { listed: false, reversed: false } } }]);
});

test("a merchant is looked for where there are lists, and named beforehand where they are expected", () => {
  const decide = (expected?: Extras) =>
    decideAlone(
      card,
      authorize,
      { ...anyPurchase(card, NOW), expected },
      { now: NOW, kept: keptWithLists() },
    );
  expect(namedBy(card, LISTED)).toEqual([loadOf(merchantOfCard)]);
  expect(decide().lacking).toMatchObject([{ need: { load: merchantOfCard } }]);
  expect(decide(LISTED)).toMatchObject({ lacking: [], verdicts: [{ answer: { extras: LISTED } }] });
});

test("a lite card's last purchase lacks nothing to end it", () => {
  const lite = { ...card, type: "Lite" as const, swipeCount: 1 };
  expect(namedBy(lite)).toEqual([merchantOfCard, cardById, pendingChargesOfCard, merchantsOfCard]);
  const found = [[loadOf(cardById), lite] as const];
  const circumstances = { now: NOW, kept: keptWithLists(lite), found };
  const decided = decideAlone(lite, authorize, anyPurchase(lite, NOW), circumstances);
  expect(decided.lacking).toEqual([]);
  expect(decided.writes.map(({ name }) => name)).toContain("cards_update");
});

test("a card that shares an account names its annex, and needs nothing else", () => {
  const guest = { ...card, cardId: "card_guest", isGuest: true };
  expect(namedBy(guest)).toEqual([loadOf(annexById)]);
  const { accountId } = card;
  const annex = { annexId: guest.cardId, accountId, kept: keptOf(guest), ctid: "(0,1)" };
  const decided = decideAlone(guest, authorize, anyPurchase(guest, NOW), {
    now: NOW,
    kept: { ...keptOf(card), annexes: true },
    found: [[loadOf(annexById), annex]],
  });
  expect(decided.lacking).toEqual([]);
  expect(decided.verdicts).toMatchObject([{ answer: { transaction: { approved: true } } }]);
});
