import { describe, expect, test } from "vitest";
import type { Card } from "../src/cards/card.ts";
import { expectRefusal, verdict } from "./harness/answers.ts";
import { newReference } from "./harness/api-client.ts";
import { tally } from "./harness/bank.ts";
import { DAY_S } from "./harness/payments.ts";
import { type Shop, shopService } from "./harness/shop.ts";

let bank: Shop["bank"];
let payments: Shop["payments"];
let open: Shop["open"];
let buy: Shop["buy"];
let cardOf: Shop["cardOf"];
let terminate: Shop["terminate"];
shopService((shop) => {
  ({ bank, payments, open, buy, cardOf, terminate } = shop);
});

describe("settlement", () => {
  test("captures the hold and pays the merchant", async () => {
    const card = await open(100_00n);
    const id = await buy(card, 60);
    const { body } = await payments.settle(id);
    expect(body.data).toMatchObject({
      transactionId: id,
      type: "Authorization",
      stage: "Settlement",
      approved: true,
      amount: 60,
      heldAmount: 0,
      settledAmount: 60,
      overCaptured: false,
      cardBalance: 40,
      events: [
        { requestType: "Authorization", amount: 60, responseCode: "000" },
        { requestType: "Settlement", amount: 60, responseCode: "000" },
      ],
    });
    expect(body.data).not.toHaveProperty("walletBalance");
    expect(body.data).not.toHaveProperty("decision");
    expect(await cardOf(card)).toMatchObject({ balance: 40, availableBalance: 40, heldAmount: 0 });
    const [, settled] = await bank.eventsOf(card.cardId);
    expect(settled).toMatchObject({ eventType: "transaction.settled", data: body.data });
  });

  test("is told with its own time, and leaves the record with it", async () => {
    const id = await buy(await open(100_00n), 60);
    const { now } = (await payments.advance(60)).body.data;
    const { events, createdAt, updatedAt } = (await payments.settle(id)).body.data;
    expect(createdAt < now && events[0].at < now).toBe(true);
    expect(events[1].at >= now).toBe(true);
    expect(updatedAt).toBe(events[1].at);
  });

  test("of less than is held releases the rest, unless more is to come", async () => {
    const card = await open(100_00n);
    const whole = await payments.settle(await buy(card, 60), { amount: 20 });
    expect(whole.body.data).toMatchObject({ settledAmount: 20, heldAmount: 0, cardBalance: 80 });
    const id = await buy(card, 60);
    const steps = [
      await payments.settle(id, { amount: 20, partial: true }),
      await payments.settle(id, { amount: 15, partial: true }),
      await payments.settle(id, { amount: 5 }),
    ];
    expect(
      steps.map(({ body }) => [
        body.data.settledAmount,
        body.data.heldAmount,
        body.data.cardBalance,
      ]),
    ).toEqual([
      [20, 40, 60],
      [35, 25, 45],
      [40, 0, 40],
    ]);
    expect(await cardOf(card)).toMatchObject({ availableBalance: 40 });
  });

  test.each<[string, number, boolean]>([
    ["all of it", 60, false],
    ["a cent more", 60.01, true],
    ["more than the card has", 130, true],
  ])("of %s posts whole, and is marked if it is over", async (_what, amount, overCaptured) => {
    const card = await open(100_00n);
    const { body } = await payments.settle(await buy(card, 60), { amount });
    const cardBalance = Math.round(10_000 - amount * 100) / 100;
    expect(body.data).toMatchObject({ settledAmount: amount, overCaptured, cardBalance });
    expect(await cardOf(card)).toMatchObject({ balance: cardBalance, heldAmount: 0 });
  });

  test("posts on a frozen and on a terminated card", async () => {
    const frozen = await open(100_00n);
    const first = await buy(frozen, 60);
    await bank.client.post(`/cards/${frozen.cardId}/freeze`, {});
    expect((await payments.settle(first)).body.data).toMatchObject({ cardBalance: 40 });

    const closed = await open(100_00n);
    const second = await buy(closed, 60);
    await terminate(closed);
    expect(await cardOf(closed)).toMatchObject({ status: "Terminated", balance: 100 });
    const { body } = await payments.settle(second);
    // Nothing is held any more, so what is left goes to the wallet.
    expect(body.data).toMatchObject({ settledAmount: 60, cardBalance: 0 });
    expect(body.data.walletBalance).toBeGreaterThan(0);
    expect(await cardOf(closed)).toMatchObject({ balance: 0 });
  });

  test("after a reversal posts on the same record", async () => {
    const card = await open(100_00n);
    const id = await buy(card, 60);
    await payments.reverse(id);
    const { body } = await payments.settle(id, { amount: 60 });
    expect(body.data).toMatchObject({
      transactionId: id,
      stage: "Settlement",
      settledAmount: 60,
      reversedAmount: 60,
      overCaptured: true,
      cardBalance: 40,
    });
  });

  test("of a declined purchase, of nothing, and of what is no purchase is illegal", async () => {
    const card = await open(100_00n);
    const declined = (await payments.buy(card.cardId, 500)).body.data.transactionId;
    expectRefusal(await payments.settle(declined), "422/133");
    expectRefusal(await payments.settle(declined, { amount: 1 }), "422/133");
    const settled = await buy(card, 10);
    await payments.settle(settled);
    expectRefusal(await payments.settle(settled), "422/133");
    const topUp = await bank.client.post(`/cards/${card.cardId}/top-up`, { amount: 1 });
    expectRefusal(await payments.settle(topUp.body.data.transactionId, { amount: 1 }), "422/133");
    expect(await cardOf(card)).toMatchObject({ balance: 91 });
  });
});

describe("reversal", () => {
  test("releases the hold", async () => {
    const card = await open(100_00n);
    const id = await buy(card, 60);
    const { body } = await payments.reverse(id);
    expect(body.data).toMatchObject({
      stage: "Reversal",
      approved: true,
      heldAmount: 0,
      reversedAmount: 60,
      cardBalance: 100,
    });
    expect(await cardOf(card)).toMatchObject({ balance: 100, availableBalance: 100 });
    expect(await bank.eventsOf(card.cardId)).toMatchObject([
      {},
      { eventType: "transaction.reversed", data: body.data },
    ]);
    expectRefusal(await payments.reverse(id), "422/175");
    expectRefusal(await payments.reverse(id, { amount: 1 }), "422/175");
  });

  test("of a part releases that part", async () => {
    const card = await open(100_00n);
    const id = await buy(card, 60);
    const { body } = await payments.reverse(id, { amount: 20 });
    expect(body.data).toMatchObject({
      stage: "Authorization",
      heldAmount: 40,
      reversedAmount: 20,
      events: [{}, { requestType: "PartialReversal", amount: 20 }],
    });
    expectRefusal(await payments.reverse(id, { amount: 40.01 }), "422/165");
    const rest = await payments.reverse(id, { amount: 40 });
    expect(rest.body.data).toMatchObject({
      stage: "Reversal",
      events: [{}, {}, { requestType: "Reversal", amount: 40 }],
    });
    expect((await bank.eventsOf(card.cardId)).map(({ eventType }) => eventType)).toEqual([
      "transaction.authorized",
      "transaction.partially_reversed",
      "transaction.reversed",
    ]);
  });

  test("after a part was settled releases the rest", async () => {
    const card = await open(100_00n);
    const id = await buy(card, 60);
    await payments.settle(id, { amount: 20, partial: true });
    const { body } = await payments.reverse(id);
    expect(body.data).toMatchObject({
      stage: "Settlement",
      settledAmount: 20,
      reversedAmount: 40,
      heldAmount: 0,
      cardBalance: 80,
    });
    expectRefusal(await payments.reverse(id), "422/175");
  });

  test("of what holds nothing is illegal", async () => {
    const card = await open(100_00n);
    const settled = await buy(card, 10);
    await payments.settle(settled);
    expectRefusal(await payments.reverse(settled), "422/133");
    const declined = (await payments.buy(card.cardId, 500)).body.data.transactionId;
    expectRefusal(await payments.reverse(declined), "422/133");
    expect(await bank.eventsOf(card.cardId)).toHaveLength(3);
  });

  test("of the last hold of a terminated card takes its money to the wallet", async () => {
    const card = await open(100_00n);
    const first = await buy(card, 60);
    const second = await buy(card, 10);
    await terminate(card);
    expect((await payments.reverse(first)).body.data).not.toHaveProperty("walletBalance");
    const walletBefore = await bank.balanceOf(await bank.walletId());
    const { body } = await payments.reverse(second);
    expect(body.data).toMatchObject({
      cardBalance: 0,
      walletBalance: Number(walletBefore + 100_00n) / 100,
    });
    const { rows } = await bank.pool.query(
      "select kind, amount_minor as amount from postings where debit_account_id = $1",
      [card.accountId],
    );
    expect(rows).toEqual([{ kind: "TerminationPayout", amount: 100_00n }]);
  });
});

describe("refund", () => {
  test("gives back what was settled", async () => {
    const card = await open(100_00n);
    const id = await buy(card, 60);
    expectRefusal(await payments.refund(id), "422/235");
    await payments.settle(id);
    const part = await payments.refund(id, { amount: 20 });
    expect(part.body.data).toMatchObject({
      stage: "Refund",
      settledAmount: 60,
      refundedAmount: 20,
      cardBalance: 60,
    });
    expectRefusal(await payments.refund(id, { amount: 40.01 }), "422/235");
    const rest = await payments.refund(id);
    expect(rest.body.data).toMatchObject({ refundedAmount: 60, cardBalance: 100 });
    expectRefusal(await payments.refund(id), "422/235");
    expectRefusal(await payments.refund(id, { amount: 1 }), "422/235");
    expect((await bank.eventsOf(card.cardId)).at(-1)).toMatchObject({
      eventType: "transaction.refunded",
      data: rest.body.data,
    });
  });

  test("of a declined purchase is above what was settled of it", async () => {
    const card = await open(10_00n);
    const declined = (await payments.buy(card.cardId, 500)).body.data.transactionId;
    expectRefusal(await payments.refund(declined), "422/235");
    expectRefusal(await payments.refund(declined, { amount: 1 }), "422/235");
  });

  test("while part of it is still held leaves that held", async () => {
    const card = await open(100_00n);
    const id = await buy(card, 60);
    await payments.settle(id, { amount: 20, partial: true });
    const { body } = await payments.refund(id);
    expect(body.data).toMatchObject({ stage: "Refund", heldAmount: 40, refundedAmount: 20 });
    expect((await payments.settle(id)).body.data).toMatchObject({
      stage: "Settlement",
      settledAmount: 60,
      cardBalance: 60,
    });
  });

  test("to a terminated card cures what it owes first, and the rest goes to the wallet", async () => {
    const card = await open(50_00n);
    const id = await buy(card, 50);
    await payments.settle(id, { amount: 80 });
    await terminate(card);
    expect(await cardOf(card)).toMatchObject({ balance: -30 });
    const walletId = await bank.walletId();
    const before = await bank.balanceOf(walletId);
    const first = await payments.refund(id, { amount: 10 });
    expect(first.body.data).toMatchObject({ cardBalance: -20 });
    expect(first.body.data).not.toHaveProperty("walletBalance");
    const second = await payments.refund(id, { amount: 50 });
    expect(second.body.data).toMatchObject({
      cardBalance: 0,
      walletBalance: Number(before + 30_00n) / 100,
    });
    const { rows } = await bank.pool.query(
      `select count(distinct entry_id)::int as entries, count(*)::int as postings from postings
        where entry_id = (select entry_id from postings where debit_account_id = $1 and kind = 'TerminationPayout')`,
      [card.accountId],
    );
    expect(rows).toEqual([{ entries: 1, postings: 2 }]);
    const { body } = await bank.client.get(
      `/transactions?cardId=${card.cardId}&type=TerminationPayout`,
    );
    expect(body.data).toMatchObject([{ amount: 30, stage: "Completed" }]);
  });
});

test("a message needs no body, and every one takes the same fields", async () => {
  const card = await open(100_00n);
  const say = async (id: string, action: string) =>
    verdict(await bank.client.call("POST", `/simulator/transactions/${id}/${action}`));
  const first = await buy(card, 10);
  expect(await say(first, "settle")).toBe("200/000");
  expect(await say(first, "refund")).toBe("200/000");
  const second = await buy(card, 10);
  const part = { amount: 4, partial: true };
  expect((await payments.reverse(second, part)).body.data).toMatchObject({ heldAmount: 6 });
  expect(await say(second, "reverse")).toBe("200/000");
  expect((await payments.refund(await settled(card), part)).body.data).toMatchObject({
    refundedAmount: 4,
  });
});

const settled = async (card: Card): Promise<string> => {
  const id = await buy(card, 10);
  await payments.settle(id);
  return id;
};

test("many messages about one payment at once do as much as they may, and no more", async () => {
  const card = await open(100_00n);
  const id = await buy(card, 60);
  const answers = await Promise.all([
    ...Array.from({ length: 10 }, () => payments.settle(id, { amount: 5, partial: true })),
    ...Array.from({ length: 10 }, () => payments.reverse(id, { amount: 5 })),
    ...Array.from({ length: 10 }, () => payments.refund(id, { amount: 5 })),
  ]);
  const { settledAmount, reversedAmount, refundedAmount, heldAmount } = (
    await bank.client.get(`/transactions/${id}`)
  ).body.data;
  expect(tally(answers)["200/000"]).toBe((settledAmount + reversedAmount + refundedAmount) / 5);
  expect(settledAmount).toBe(50);
  expect(heldAmount).toBe(Math.max(0, 60 - 50 - reversedAmount));
  expect(await cardOf(card)).toMatchObject({
    balance: 100 - settledAmount + refundedAmount,
    heldAmount,
  });
});

test.each(["settle", "reverse", "refund"] as const)(
  "%s: what is malformed or unknown",
  async (action) => {
    const id = await buy(await open(100_00n), 10);
    expectRefusal(await payments[action](`txn_${"0".repeat(26)}`), "404/157");
    expectRefusal(await payments[action]("txn_1"), "404/157");
    expectRefusal(await payments[action](id, { amount: 0 }), "400/111");
    expectRefusal(await payments[action](id, { amount: -1 }), "400/111");
    expectRefusal(await payments[action](id, { amount: 0.001 }), "400/111");
    expectRefusal(await payments[action](id, { reason: "x" }), "400/131");
    const { client } = await bank.foundAnother();
    const theirs = await client.post(`/simulator/transactions/${id}/${action}`, {});
    expectRefusal(theirs, "404/157");
    const reference = newReference();
    const twice = [
      await payments.settle(id, {}, { reference }),
      await payments.settle(id, {}, { reference }),
    ];
    expect(twice.map(verdict)).toEqual(["200/000", "400/139"]);
  },
);

test("a late message finds a card that was closed long ago", async () => {
  const card = await open(100_00n);
  const id = await buy(card, 60);
  await terminate(card);
  await payments.advance(40 * DAY_S);
  expect(await cardOf(card)).toMatchObject({ balance: 0, heldAmount: 0 });
  expect((await payments.settle(id)).body.data).toMatchObject({ cardBalance: -60 });
  expect((await payments.refund(id)).body.data).toMatchObject({ cardBalance: 0 });
});

test("the books hold after all of this", () => bank.expectProof());
