import { describe, expect, test } from "vitest";
import { expectRefusal } from "./harness/answers.ts";
import { newReference } from "./harness/api-client.ts";
import { type Bank, tally } from "./harness/bank.ts";
import { bankByDay } from "./harness/bank-by-day.ts";
import { decided, type Payments } from "./harness/payments.ts";

let bank: Bank;
let payments: Payments;

bankByDay((open) => {
  ({ bank, payments } = open);
});

const newName = () => `net-${newReference()}`;

describe("a message that repeats", () => {
  test("is answered as the first was, with no second effect", async () => {
    const card = await bank.open({ balanceMinor: 100_00n });
    const networkReference = newName();
    const first = await payments.buy(card.cardId, 30, { networkReference });
    const again = await payments.buy(card.cardId, 30, { networkReference });
    expect(again.body.data).toEqual(first.body.data);
    // The name tells which message it is, whatever else it says.
    const other = await payments.buy(card.cardId, 99, { networkReference });
    expect(other.body.data).toEqual(first.body.data);
    expect(await bank.moneyOf(card)).toMatchObject({ heldAmount: 30 });
    expect(await bank.eventsOf(card.cardId)).toHaveLength(1);
  });

  test("is answered with its decline, too, although it would be approved by now", async () => {
    const card = await bank.open({ balanceMinor: 10_00n });
    const networkReference = newName();
    expect(decided(await payments.buy(card.cardId, 30, { networkReference }))).toBe("116");
    await bank.client.post(`/cards/${card.cardId}/top-up`, { amount: 50 });
    expect(decided(await payments.buy(card.cardId, 30, { networkReference }))).toBe("116");
    expect(await bank.moneyOf(card)).toMatchObject({ heldAmount: 0 });
  });

  test("of another type is another message", async () => {
    const card = await bank.open({ balanceMinor: 100_00n });
    const networkReference = newName();
    for (const requestType of ["Authorization", "PreAuthorization", "CashWithdrawal"]) {
      const { body } = await payments.buy(card.cardId, 10, { networkReference, requestType });
      expect(body.data).toMatchObject({ type: requestType, approved: true });
    }
    expect(await bank.moneyOf(card)).toMatchObject({ heldAmount: 30 });
  });

  test("about another card is no repetition: it is refused, and nothing happens", async () => {
    const card = await bank.open({ balanceMinor: 100_00n });
    const other = await bank.open({ balanceMinor: 100_00n });
    const networkReference = newName();
    await payments.buy(card.cardId, 30, { networkReference });
    expectRefusal(await payments.buy(other.cardId, 30, { networkReference }), "422/138");
    expectRefusal(await payments.rehearse(other.cardId, 30, { networkReference }), "422/138");
    expect(await bank.moneyOf(other)).toMatchObject({ heldAmount: 0 });
  });

  test("of another organization is another message", async () => {
    const card = await bank.open({ balanceMinor: 100_00n });
    const networkReference = newName();
    await payments.buy(card.cardId, 30, { networkReference });
    const { client } = await bank.foundAnother();
    const answer = await client.post("/simulator/authorizations", {
      cardId: card.cardId,
      amount: 30,
      networkReference,
    });
    expectRefusal(answer, "404/148");
  });

  test("twenty times at once has one effect", async () => {
    const card = await bank.open({ balanceMinor: 100_00n });
    const networkReference = newName();
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => payments.buy(card.cardId, 30, { networkReference })),
    );
    expect(tally(answers)).toEqual({ "200/000": 20 });
    expect(new Set(answers.map(({ body }) => body.data.transactionId)).size).toBe(1);
    expect(await bank.moneyOf(card)).toMatchObject({ heldAmount: 30 });
  });

  test("at once about twenty cards has one effect, and the others hear of it", async () => {
    const cards = await Promise.all(
      Array.from({ length: 20 }, () => bank.open({ balanceMinor: 100_00n })),
    );
    const networkReference = newName();
    const answers = await Promise.all(
      cards.map(({ cardId }) => payments.buy(cardId, 30, { networkReference })),
    );
    expect(tally(answers)).toEqual({ "200/000": 1, "422/138": 19 });
    const held = await Promise.all(cards.map((card) => bank.moneyOf(card)));
    expect(held.filter(({ heldAmount }) => heldAmount === 30)).toHaveLength(1);
  });
});

test("the same Reference works once, and its payload counts", async () => {
  const card = await bank.open({ balanceMinor: 100_00n });
  const reference = newReference();
  const answers = await Promise.all(
    Array.from({ length: 5 }, () => payments.buy(card.cardId, 30, {}, { reference })),
  );
  expect(tally(answers)).toEqual({ "200/000": 1, "400/139": 4 });
  expect(await bank.moneyOf(card)).toMatchObject({ heldAmount: 30 });
  const { body } = await bank.client.get(`/requests/${reference}`);
  expect(body.data).toMatchObject({
    state: "Succeeded",
    resourceId: expect.stringMatching(/^txn_/),
  });
});

describe("many at once", () => {
  const buyMany = async (count: number, cardIds: readonly string[], amount: number) => {
    const answers = await Promise.all(
      Array.from({ length: count }, (_, n) =>
        payments.buy(cardIds[n % cardIds.length] ?? "", amount),
      ),
    );
    const counts: Record<string, number> = {};
    for (const answer of answers) counts[decided(answer)] = (counts[decided(answer)] ?? 0) + 1;
    return counts;
  };

  test("never spend more than one card has", async () => {
    const card = await bank.open({ balanceMinor: 100_00n });
    expect(await buyMany(60, [card.cardId], 3)).toEqual({ "000": 33, "116": 27 });
    expect(await bank.moneyOf(card)).toEqual({ balance: 100, availableBalance: 1, heldAmount: 99 });
  });

  test("never spend more than cards share", async () => {
    const card = await bank.open({ balanceMinor: 100_00n, sharedBalance: true });
    const { accountId, customerId } = card;
    const others = await Promise.all(
      Array.from({ length: 4 }, () => bank.open({ accountId, customerId, sharedBalance: true })),
    );
    const cardIds = [card, ...others].map(({ cardId }) => cardId);
    expect(await buyMany(60, cardIds, 3)).toEqual({ "000": 33, "116": 27 });
    expect(await bank.moneyOf(card)).toMatchObject({ heldAmount: 99 });
  });

  test("never spend more than the day allows", async () => {
    const card = await bank.open({ balanceMinor: 1_000_00n, dailyLimitMinor: 100_00n });
    expect(await buyMany(60, [card.cardId], 3)).toEqual({ "000": 33, "129": 27 });
  });

  test("never swipe a lite card more often than it allows", async () => {
    const card = await bank.open({ type: "Lite", swipeCount: 7, balanceMinor: 1_000_00n });
    expect(await buyMany(30, [card.cardId], 3)).toEqual({ "000": 7, "143": 23 });
  });

  test("never spend a lite card's money twice", async () => {
    const card = await bank.open({ type: "Lite", swipeCount: 100, balanceMinor: 12_00n });
    expect(await buyMany(30, [card.cardId], 3)).toEqual({ "000": 4, "143": 26 });
  });
});

test("the books hold after all of this", () => bank.expectProof());
