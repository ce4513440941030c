import { afterAll, describe, expect, test } from "vitest";
import { expectRefusal } from "./harness/answers.ts";
import { newReference } from "./harness/api-client.ts";
import { type Shop, shopService } from "./harness/shop.ts";

let bank: Shop["bank"];
let payments: Shop["payments"];
let open: Shop["open"];
let chargesOf: Shop["chargesOf"];
shopService((shop) => {
  ({ bank, payments, open, chargesOf } = shop);
});

// Comes before the bank is stopped: what was registered last is done first.
afterAll(() => bank.expectProof());

describe("what comes without anything before it", () => {
  test("a force post takes the money whole, below zero if need be", async () => {
    const card = await open(10_00n);
    const networkReference = `net-${newReference()}`;
    const { body } = await payments.forcePost(card.cardId, 25, { networkReference });
    expect(body.data).toMatchObject({
      type: "Settlement",
      stage: "Settlement",
      approved: true,
      responseCode: "000",
      amount: 25,
      settledAmount: 25,
      heldAmount: 0,
      networkReference,
      entryMode: null,
      approvalCode: null,
      overCaptured: false,
      events: [{ requestType: "Settlement", amount: 25, responseCode: "000" }],
      cardBalance: -15,
    });
    expect(await bank.eventsOf(card.cardId)).toMatchObject([
      { eventType: "transaction.settled", data: body.data },
    ]);
    const refunded = await payments.refund(body.data.transactionId);
    expect(refunded.body.data).toMatchObject({ stage: "Refund", cardBalance: 10 });
  });

  test("an unlinked refund credits the card", async () => {
    const card = await open(10_00n);
    const { body } = await payments.refundUnlinked(card.cardId, 25);
    expect(body.data).toMatchObject({
      type: "Refund",
      stage: "Refund",
      refundedAmount: 25,
      settledAmount: 0,
      cardBalance: 35,
    });
    expect(await bank.eventsOf(card.cardId)).toMatchObject([
      { eventType: "transaction.refunded", data: body.data },
    ]);
    expectRefusal(await payments.refund(body.data.transactionId), "422/133");
  });

  test("both post on cards of any status", async () => {
    for (const status of ["Frozen", "Terminated"] as const) {
      const card = await open(-5_00n, { status });
      expect((await payments.forcePost(card.cardId, 5)).body.data).toMatchObject({
        cardBalance: -10,
      });
      const { body } = await payments.refundUnlinked(card.cardId, 25);
      expect(body.data.cardBalance).toBe(status === "Frozen" ? 15 : 0);
    }
  });

  test("both post on cards whose programme an operator has withdrawn, in their own currency", async () => {
    const card = await open(10_00n, { programmeId: "usd-gone" });
    const posted = await payments.forcePost(card.cardId, 25, { merchant: { country: "FR" } });
    expect(posted.body.data).toMatchObject({ settledAmount: 25, cardBalance: -15 });
    expect(await chargesOf(card)).toEqual([]);
    const back = await payments.refundUnlinked(card.cardId, 5);
    expect(back.body.data).toMatchObject({ refundedAmount: 5, cardBalance: -10 });
    expect(back.body.data.merchant.country).toBe("ZZ");
    expectRefusal(await payments.forcePost(card.cardId, 1, { currency: "EUR" }), "422/121");
    expectRefusal(await payments.buy(card.cardId, 1), "422/310");
  });

  test("in another currency they are billed at the programme's rate; without one they are refused", async () => {
    const card = await open(100_00n);
    expect(
      (await payments.forcePost(card.cardId, 10, { currency: "EUR" })).body.data,
    ).toMatchObject({
      amount: 10,
      currency: "EUR",
      billingAmount: 10.8,
      settledAmount: 10.8,
      cardBalance: 89.2,
    });
    const back = await payments.refundUnlinked(card.cardId, 10, { currency: "EUR" });
    expect(back.body.data).toMatchObject({ refundedAmount: 10.8, cardBalance: 100 });
    for (const post of [payments.forcePost, payments.refundUnlinked]) {
      expectRefusal(await post(card.cardId, 10, { currency: "JPY" }), "422/121");
    }
  });

  test.each([
    ["an unknown card", { cardId: `card_${"0".repeat(26)}` }, "404/148"],
    ["a malformed card id", { cardId: "card" }, "400/112"],
    ["nothing", { amount: 0 }, "400/111"],
    [
      "too many decimals of the currency, before an unknown card,",
      { cardId: `card_${"0".repeat(26)}`, amount: 1.001, currency: "USD" },
      "400/111",
    ],
    ["an unknown field", { partial: true }, "400/131"],
  ])("with %s they are refused", async (_what, change, expected) => {
    const { cardId } = await open(100_00n);
    for (const path of ["/simulator/settlements", "/simulator/refunds"]) {
      expectRefusal(await bank.client.post(path, { cardId, amount: 1, ...change }), expected);
    }
  });
});
