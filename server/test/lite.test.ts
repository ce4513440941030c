import { describe, expect, test } from "vitest";
import type { Card } from "../src/cards/card.ts";
import { ServiceClock } from "../src/foundation/clock.ts";
import { openIssuer } from "./harness/issuer.ts";
import { decided } from "./harness/payments.ts";
import { type Shop, shopService } from "./harness/shop.ts";

let bank: Shop["bank"];
let payments: Shop["payments"];
let buy: Shop["buy"];
let cardOf: Shop["cardOf"];

shopService((shop) => {
  ({ bank, payments, buy, cardOf } = shop);
});

const open = (swipeCount: number, balanceMinor: bigint) =>
  bank.open({ type: "Lite", swipeCount, balanceMinor });

test("each approved purchase, pre-authorization and cash withdrawal is a swipe; the last one closes the card", async () => {
  const card = await open(3, 100_00n);
  await buy(card, 10);
  expect(await cardOf(card)).toMatchObject({ status: "Active", swipeCount: 3, swipesUsed: 1 });
  await buy(card, 10, { requestType: "PreAuthorization" });
  await buy(card, 10, { requestType: "CashWithdrawal" });
  expect(await cardOf(card)).toMatchObject({
    status: "Terminated",
    swipesUsed: 3,
    terminationReason: "SwipesUsed",
    balance: 100,
    heldAmount: 30,
  });
  expect(decided(await payments.buy(card.cardId, 1))).toBe("143");
  const events = await bank.eventsOf(card.cardId);
  expect(events.map(({ eventType }) => eventType)).toEqual([
    ...Array.from({ length: 3 }, () => "transaction.authorized"),
    "card.terminated",
    "transaction.declined",
  ]);
  expect(events[3]?.data).toMatchObject({ status: "Terminated", swipesUsed: 3, heldAmount: 30 });
});

test("whatever is done with the card, its swipes are told", async () => {
  const card = await open(3, 100_00n);
  await buy(card, 10);
  const path = `/cards/${card.cardId}`;
  const body = { cardLimits: { dailyLimit: 50 } };
  const changed = await bank.client.call("PATCH", path, { body });
  const frozen = await bank.client.post(`${path}/freeze`, {});
  await bank.client.post(`${path}/merchants/blacklist`, { mid: "BAD" });
  const closed = await bank.client.post(`${path}/terminate`, {});
  for (const answer of [changed, frozen, closed]) expect(answer.body.data.swipesUsed).toBe(1);
  const [, ...events] = await bank.eventsOf(card.cardId);
  expect(events.map(({ eventType, data }) => [eventType, data.swipesUsed])).toEqual([
    ["card.updated", 1],
    ["card.frozen", 1],
    ["card.merchants_changed", 1],
    ["card.terminated", 1],
  ]);
});

test("the last money closes it, too", async () => {
  const card = await open(10, 100_00n);
  await buy(card, 99.99);
  expect(await cardOf(card)).toMatchObject({ status: "Active" });
  await buy(card, 0.01);
  expect(await cardOf(card)).toMatchObject({
    status: "Terminated",
    swipesUsed: 2,
    terminationReason: "BalanceExhausted",
    availableBalance: 0,
  });
});

test("declines and verifications use no swipe, and reversals give none back", async () => {
  const card = await open(2, 100_00n);
  expect(decided(await payments.buy(card.cardId, 500))).toBe("116");
  expect(decided(await payments.buy(card.cardId, 0))).toBe("000");
  await payments.reverse(await buy(card, 100 - 1));
  expect(await cardOf(card)).toMatchObject({ status: "Active", swipesUsed: 1, balance: 100 });
  await payments.reverse(await buy(card, 1));
  expect(await cardOf(card)).toMatchObject({ status: "Terminated", swipesUsed: 2 });
});

test("a verification closes no card, not even one without money", async () => {
  const card = await open(2, 0n);
  expect(decided(await payments.buy(card.cardId, 0))).toBe("000");
  expect(await cardOf(card)).toMatchObject({ status: "Active", swipesUsed: 0 });
});

test("what is left goes to the wallet with the last hold", async () => {
  const card = await open(2, 100_00n);
  const walletId = await bank.walletId();
  const before = await bank.balanceOf(walletId);
  const first = await buy(card, 10);
  const second = await buy(card, 20);
  expect((await payments.settle(first)).body.data).toMatchObject({ cardBalance: 90 });
  expect(await bank.balanceOf(walletId)).toBe(before);
  expect((await payments.settle(second)).body.data).toMatchObject({ cardBalance: 0 });
  expect(await bank.balanceOf(walletId)).toBe(before + 70_00n);
  await payments.refund(first);
  expect(await bank.balanceOf(walletId)).toBe(before + 80_00n);
});

test("a charge that comes when there is no money left is owed", async () => {
  const card = await open(3, 100_00n);
  const first = await buy(card, 50, { merchant: { country: "FR" } });
  await buy(card, 50);
  expect(await cardOf(card)).toMatchObject({ status: "Terminated", availableBalance: 0 });
  await payments.settle(first);
  const { body } = await bank.client.get(`/cards/${card.cardId}/cross-border-charges`);
  expect(body.data).toMatchObject([{ status: "Pending", amount: 1 }]);
});

test("a charge that is owed is paid when the card closes with money left", async () => {
  const card = await open(3, 100_00n);
  const first = await buy(card, 50, { merchant: { country: "FR" } });
  const second = await buy(card, 49.5);
  await payments.settle(first);
  const charges = `/cards/${card.cardId}/cross-border-charges`;
  expect((await bank.client.get(charges)).body.data).toMatchObject([
    { status: "Pending", amount: 1 },
  ]);
  await payments.reverse(second);
  await buy(card, 10);
  expect((await bank.client.get(charges)).body.data).toMatchObject([{ status: "Collected" }]);
  expect(await cardOf(card)).toMatchObject({
    status: "Terminated",
    balance: 49,
    heldAmount: 10,
    availableBalance: 39,
  });
  const events = await bank.eventsOf(card.cardId);
  expect(events.slice(-3).map(({ eventType }) => eventType)).toEqual([
    "transaction.authorized",
    "charge.cross_border.collected",
    "card.terminated",
  ]);
  expect(events.at(-1)?.data).toMatchObject({ balance: 49 });
});

const ended = { status: "Terminated", terminationReason: "BalanceExhausted" };

describe("without a purchase, the card closes when its last money is taken by", () => {
  const typesOf = async ({ cardId }: Card) =>
    (await bank.eventsOf(cardId)).map(({ eventType }) => eventType);

  test("a force post, which uses no swipe", async () => {
    const card = await open(1, 10_00n);
    await bank.client.post(`/cards/${card.cardId}/merchants/blacklist`, { mid: "BAD" });
    await payments.forcePost(card.cardId, 4);
    expect(await cardOf(card)).toMatchObject({ status: "Active", swipesUsed: 0, balance: 6 });
    await payments.forcePost(card.cardId, 20);
    expect(await cardOf(card)).toMatchObject({ ...ended, swipesUsed: 0, balance: -14 });
    expect(await typesOf(card)).toEqual([
      "card.merchants_changed",
      ...Array.from({ length: 2 }, () => "transaction.settled"),
      "card.terminated",
    ]);
    const [told] = (await bank.eventsOf(card.cardId)).slice(-1);
    expect(told?.data).toMatchObject({ ...ended, balance: -14, merchantBlacklist: ["BAD"] });
  });

  test("a settlement beyond what was held", async () => {
    const card = await open(3, 10_00n);
    await payments.settle(await buy(card, 8), { amount: 10 });
    expect(await cardOf(card)).toMatchObject({ ...ended, balance: 0 });
    const [told] = (await bank.eventsOf(card.cardId)).slice(-1);
    expect(told?.data).toMatchObject({ ...ended, balance: 0, swipesUsed: 1 });
    expect(decided(await payments.buy(card.cardId, 0))).toBe("143");
  });

  test("a charge that comes with a settlement", async () => {
    const card = await open(3, 51_00n);
    await payments.settle(await buy(card, 50, { merchant: { country: "FR" } }));
    expect(await cardOf(card)).toMatchObject({ ...ended, balance: 0 });
    expect((await typesOf(card)).slice(-2)).toEqual([
      "charge.cross_border.collected",
      "card.terminated",
    ]);
  });

  test("a charge that is tried again", async () => {
    const card = await open(4, 51_00n);
    const first = await buy(card, 50, { merchant: { country: "FR" } });
    const second = await buy(card, 0.5);
    await payments.settle(first);
    await payments.reverse(second);
    expect(await cardOf(card)).toMatchObject({ status: "Active", balance: 1 });
    const { body } = await bank.client.post(
      `/cards/${card.cardId}/cross-border-charges/reprocess`,
      {},
    );
    expect(body.data).toMatchObject({ collected: [{ amount: 1 }], cardBalance: 0 });
    expect(await cardOf(card)).toMatchObject({ ...ended, balance: 0 });
    expect((await typesOf(card)).slice(-2)).toEqual([
      "charge.cross_border.collected",
      "card.terminated",
    ]);
  });

  test("nothing that is still held: it may come back, and pay what is owed", async () => {
    const card = await open(4, 110_00n);
    await payments.settle(await buy(card, 100, { merchant: { country: "FR" } }));
    // The charge of 2.00 was collected: 8.00 are left.
    const held = await buy(card, 7);
    await payments.forcePost(card.cardId, 1);
    expect(await cardOf(card)).toMatchObject({ status: "Active", balance: 7, heldAmount: 7 });
    await payments.reverse(held);
    expect(await cardOf(card)).toMatchObject({ status: "Active", availableBalance: 7 });
    await payments.settle(await buy(card, 6), { amount: 7 });
    expect(await cardOf(card)).toMatchObject({ ...ended, balance: 0 });
  });

  test("nothing that it was closed before: it stays as it ended", async () => {
    const card = await open(1, 10_00n);
    await payments.settle(await buy(card, 8), { amount: 10 });
    expect(await cardOf(card)).toMatchObject({ terminationReason: "SwipesUsed", balance: 0 });
    expect(await typesOf(card)).toEqual([
      "transaction.authorized",
      "card.terminated",
      "transaction.settled",
    ]);
  });

  test("nothing but its own: others stay open at zero", async () => {
    const card = await bank.open({ balanceMinor: 10_00n });
    await payments.forcePost(card.cardId, 10);
    expect(await cardOf(card)).toMatchObject({ status: "Active", balance: 0 });
  });
});

test("what the network approved in our place is a swipe, even where nothing is left to hold", async () => {
  const issuer = await openIssuer(bank.service.databaseUrl, new ServiceClock());
  try {
    const card = await open(2, -10_00n);
    const advice = {
      card,
      requestType: "Authorization",
      amountMinor: 5_00n,
      currency: "USD",
      merchant: { mid: "SHOP1", mcc: "5999", name: "Shop", city: "Town", country: "US" },
      entryMode: "Chip",
      isAdvice: true,
    } as const;
    const { transaction } = await issuer.door.authorize(bank.organizationId, advice);
    expect(transaction).toMatchObject({ approved: true, heldMinor: 0n });
    expect(await cardOf(card)).toMatchObject({ ...ended, swipesUsed: 1, balance: -10 });
    await issuer.door.authorize(bank.organizationId, advice);
    expect(await cardOf(card)).toMatchObject({ ...ended, swipesUsed: 2, balance: -10 });
  } finally {
    await issuer.stop();
  }
});

test("the books hold after all of this", () => bank.expectProof());
