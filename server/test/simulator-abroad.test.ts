import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { expectRefusal, verdict } from "./harness/answers.ts";
import { openBank } from "./harness/bank.ts";
import { paymentsOf } from "./harness/payments.ts";
import { type Shop, shopService } from "./harness/shop.ts";

let bank: Shop["bank"];
let payments: Shop["payments"];
let open: Shop["open"];
let buy: Shop["buy"];
let cardOf: Shop["cardOf"];
let terminate: Shop["terminate"];
let chargesOf: Shop["chargesOf"];

shopService((shop) => {
  ({ bank, payments, open, buy, cardOf, terminate, chargesOf } = shop);
});

describe("in another currency", () => {
  test("the rest of a refund is told in the payment's own currency", async () => {
    const id = await buy(await open(100_00n), 10, { currency: "EUR" });
    await payments.settle(id);
    await payments.refund(id, { amount: 4 });
    const { body } = await payments.refund(id);
    expect(body.data).toMatchObject({
      settledAmount: 10.8,
      refundedAmount: 10.8,
      events: [
        { requestType: "Authorization", amount: 10 },
        { requestType: "Settlement", amount: 10 },
        { requestType: "Refund", amount: 4 },
        { requestType: "Refund", amount: 6 },
      ],
    });
  });

  test("a force post keeps its rate, and so do its refunds", async () => {
    const card = await open(100_00n);
    const { body } = await payments.forcePost(card.cardId, 10, { currency: "EUR" });
    expect(body.data).toMatchObject({ settledAmount: 10.8, cardBalance: 89.2 });
    const { transactionId } = body.data;
    const part = await payments.refund(transactionId, { amount: 4 });
    expect(part.body.data).toMatchObject({ refundedAmount: 4.32, cardBalance: 93.52 });
    const rest = await payments.refund(transactionId);
    expect(rest.body.data).toMatchObject({ refundedAmount: 10.8, cardBalance: 100 });
    expect(rest.body.data.events.at(-1)).toMatchObject({ requestType: "Refund", amount: 6 });
  });

  test("a payment keeps the rate of its decision, and its parts add up", async () => {
    const card = await open(100_00n);
    const id = await buy(card, 10, { currency: "EUR" });
    const part = await payments.settle(id, { amount: 3.33, partial: true });
    expect(part.body.data).toMatchObject({
      settledAmount: 3.6,
      heldAmount: 7.2,
      events: [{ amount: 10 }, { amount: 3.33 }],
    });
    expectRefusal(await payments.reverse(id, { amount: 6.68 }), "422/165");
    const rest = await payments.reverse(id, { amount: 6.67 });
    expect(rest.body.data).toMatchObject({ reversedAmount: 7.2, heldAmount: 0 });
    const back = await payments.refund(id);
    expect(back.body.data).toMatchObject({ refundedAmount: 3.6, cardBalance: 100 });
    expect(back.body.data.events.at(-1)).toMatchObject({ requestType: "Refund", amount: 3.33 });
  });

  test.each([
    ["EUR", 10, [3.33, 3.33, 3.33, 0.01], 10.8],
    // The first half of a cent takes it, and what is left costs nothing.
    ["NGN", 2, [1, 1], 0.01],
  ])("parts of %s settled one by one are billed as all at once", async (...told) => {
    const [currency, amount, parts, billingAmount] = told;
    const card = await open(100_00n);
    const id = await buy(card, amount, { currency });
    for (const part of parts) {
      expect(verdict(await payments.settle(id, { amount: part, partial: true }))).toBe("200/000");
    }
    const { body } = await bank.client.get(`/transactions/${id}`);
    expect(body.data).toMatchObject({
      billingAmount,
      settledAmount: billingAmount,
      heldAmount: 0,
      overCaptured: false,
    });
    expect(await cardOf(card)).toMatchObject({ balance: 100 - billingAmount, heldAmount: 0 });
    for (const part of parts) {
      expect(verdict(await payments.refund(id, { amount: part }))).toBe("200/000");
    }
    expect(await cardOf(card)).toMatchObject({ balance: 100 });
    expectRefusal(await payments.refund(id, { amount: 0.01 }), "422/235");
  });
});

describe("abroad", () => {
  test("a settlement is charged, and what cannot be paid is owed", async () => {
    const card = await open(101_00n);
    const merchant = { country: "FR" };
    const first = await payments.settle(await buy(card, 50, { merchant }));
    expect(first.body.data).toMatchObject({ settledAmount: 50, cardBalance: 50 });
    const second = await payments.settle(await buy(card, 49.5, { merchant }));
    expect(second.body.data).toMatchObject({ cardBalance: 0.5 });
    expect(await chargesOf(card)).toMatchObject([
      { status: "Pending", amount: 0.99, transactionId: second.body.data.transactionId },
      { status: "Collected", amount: 1, transactionId: first.body.data.transactionId },
    ]);
    expect(await bank.eventsOf(card.cardId)).toMatchObject([
      { eventType: "transaction.authorized" },
      { eventType: "transaction.settled" },
      { eventType: "charge.cross_border.collected", data: { amount: 1, cardBalance: 50 } },
      { eventType: "transaction.authorized" },
      { eventType: "transaction.settled" },
      { eventType: "charge.cross_border.pending", data: { amount: 0.99, cardBalance: 0.5 } },
    ]);
    const [charge] = (
      await bank.client.get(`/transactions?cardId=${card.cardId}&type=CrossBorderCharge`)
    ).body.data;
    expect(charge).toMatchObject({ amount: 1, stage: "Completed" });
  });

  test("a refund costs nothing, linked or not", async () => {
    const card = await open(100_00n);
    const merchant = { country: "FR" };
    const { body } = await payments.refundUnlinked(card.cardId, 50, { merchant });
    expect(body.data).toMatchObject({ refundedAmount: 50, cardBalance: 150 });
    expect(await chargesOf(card)).toEqual([]);
    const id = await buy(card, 50, { merchant });
    await payments.settle(id);
    const back = await payments.refund(id);
    expect(back.body.data).toMatchObject({ refundedAmount: 50, cardBalance: 149 });
    expect(await chargesOf(card)).toHaveLength(1);
  });

  test("nothing retries a charge that is owed, but reprocessing does", async () => {
    const card = await open(50_00n);
    await payments.settle(await buy(card, 50, { merchant: { country: "GB" } }));
    await bank.client.post(`/cards/${card.cardId}/top-up`, { amount: 10 });
    await payments.settle(await buy(card, 1));
    expect(await chargesOf(card)).toMatchObject([{ status: "Pending", amount: 1 }]);
    const path = `/cards/${card.cardId}/cross-border-charges/reprocess`;
    expect((await bank.client.post(path, {})).body.data).toMatchObject({
      collected: [{ amount: 1 }],
      cardBalance: 8,
    });
  });

  test("money that is held pays no charge", async () => {
    const card = await open(101_00n);
    await buy(card, 51);
    await payments.settle(await buy(card, 50, { merchant: { country: "FR" } }));
    expect(await chargesOf(card)).toMatchObject([{ status: "Pending", amount: 1 }]);
  });

  test("each part of a settlement is charged for itself, a refund gives no charge back", async () => {
    const card = await open(200_00n);
    const id = await buy(card, 100, { merchant: { country: "NG" } });
    await payments.settle(id, { amount: 50, partial: true });
    await payments.settle(id);
    await payments.refund(id);
    expect(await chargesOf(card)).toMatchObject([
      { status: "Collected", amount: 1 },
      { status: "Collected", amount: 1 },
    ]);
    expect(await cardOf(card)).toMatchObject({ balance: 198 });
  });

  test("a force post is charged, too; less than half a cent is not", async () => {
    const card = await open(200_00n);
    const merchant = { country: "FR" };
    await payments.forcePost(card.cardId, 100, { merchant });
    await payments.forcePost(card.cardId, 0.24, { merchant });
    expect(await chargesOf(card)).toMatchObject([{ status: "Collected", amount: 2 }]);
  });

  test("the last settlement of a terminated card pays its charge before the wallet gets the rest", async () => {
    const card = await open(100_00n);
    const id = await buy(card, 50, { merchant: { country: "FR" } });
    await terminate(card);
    const walletId = await bank.walletId();
    const before = await bank.balanceOf(walletId);
    await payments.settle(id);
    expect(await bank.balanceOf(walletId)).toBe(before + 49_00n);
    expect(await chargesOf(card)).toMatchObject([{ status: "Collected", amount: 1 }]);
  });
});

test("a programme has its own country, its own rate and its own tolerance", async () => {
  const file = join(bank.service.dataDir, "programmes.json");
  const named = { programmeId: "usd-us", currency: "USD", country: "GB", brand: "Visa" };
  const rates = { crossBorderRateBps: 300, overCaptureToleranceBps: 1_000 };
  writeFileSync(file, JSON.stringify([{ ...named, bin: "411111", ...rates }]));
  const other = await openBank({ FLORIN_PROGRAMMES_FILE: file });
  try {
    const { cardId } = await other.open({ balanceMinor: 1_000_00n });
    const { buy, settle } = paymentsOf(other.client);
    const pay = async (country: string, amount: number) => {
      const { transactionId } = (await buy(cardId, 100, { merchant: { country } })).body.data;
      return (await settle(transactionId, { amount })).body.data;
    };
    expect(await pay("GB", 110)).toMatchObject({ overCaptured: false });
    expect(await pay("GB", 110.01)).toMatchObject({ overCaptured: true });
    const { transactionId } = await pay("US", 100);
    const charges = await other.client.get(`/cards/${cardId}/cross-border-charges`);
    expect(charges.body.data).toMatchObject([{ transactionId, amount: 3 }]);
  } finally {
    await other.stop();
  }
});

test("the books hold after all of this", () => bank.expectProof());
