import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Card } from "../src/cards/card.ts";
import { newId } from "../src/foundation/ids.ts";
import { expectRefusal, fieldsOf, TIMESTAMP, verdict } from "./harness/answers.ts";
import { newReference } from "./harness/api-client.ts";
import { type Bank, openBank, tally } from "./harness/bank.ts";

let bank: Bank;
beforeAll(async () => {
  bank = await openBank();
});
afterAll(() => bank.stop());

const terminate = (cardId: string, body?: unknown, client = bank.client) =>
  client.call("POST", `/cards/${cardId}/terminate`, body === undefined ? {} : { body });

/** As it is left behind while others spend from the same balance. */
const TERMINATED = { status: "Terminated", sharedBalance: true } as const;

const walletMinor = async () => bank.balanceOf(await bank.walletId());

async function transactionsOf({ accountId }: Card) {
  const { rows } = await bank.pool.query(
    `select type, amount_minor as "amountMinor", card_id as "cardId" from transactions
      where account_id = $1 and type <> 'Authorization' order by transaction_id`,
    [accountId],
  );
  return rows;
}

describe("the last card of a balance", () => {
  test("is terminated, what is left goes to the wallet, and the card is told so", async () => {
    const card = await bank.open({ balanceMinor: 12_34n });
    const before = await walletMinor();
    const askedMs = Date.now();
    const { status, body } = await terminate(card.cardId);
    expect(status).toBe(200);
    expect(Date.parse(body.data.terminatedAt)).toBeGreaterThanOrEqual(askedMs);
    expect(body.data).toMatchObject({
      cardId: card.cardId,
      status: "Terminated",
      terminationReason: "Requested",
      terminatedAt: expect.stringMatching(TIMESTAMP),
      balance: 0,
      availableBalance: 0,
      heldAmount: 0,
    });
    expect(await walletMinor()).toBe(before + 12_34n);
    expect(await transactionsOf(card)).toEqual([
      { type: "TerminationPayout", amountMinor: 12_34n, cardId: card.cardId },
    ]);
    const [event, ...more] = await bank.eventsOf(card.cardId);
    expect(more).toEqual([]);
    expect(event).toMatchObject({ eventType: "card.terminated", sequence: 1n });
    const { payout, ...told } = event?.data ?? {};
    expect(told).toEqual(body.data);
    expect(payout).toMatchObject({
      cardId: card.cardId,
      type: "TerminationPayout",
      amount: 12.34,
      cardBalance: 0,
      walletBalance: Number(before + 12_34n) / 100,
    });
    await bank.expectProof();
  });

  test("with nothing on it is terminated without a payout", async () => {
    const card = await bank.open();
    await terminate(card.cardId);
    expect(await transactionsOf(card)).toEqual([]);
    const [event] = await bank.eventsOf(card.cardId);
    expect(event?.data).not.toHaveProperty("payout");
  });

  test("keeps a negative balance", async () => {
    const card = await bank.open({ balanceMinor: -3_00n });
    const { body } = await terminate(card.cardId);
    expect(body.data).toMatchObject({ status: "Terminated", balance: -3 });
    expect(await transactionsOf(card)).toEqual([]);
  });

  test("keeps everything while a hold is left", async () => {
    const card = await bank.open({ balanceMinor: 10_00n });
    await bank.hold(card, 1_00n);
    const { body } = await terminate(card.cardId);
    expect(body.data).toMatchObject({ status: "Terminated", balance: 10, heldAmount: 1 });
    expect(await bank.balanceOf(card.accountId)).toBe(10_00n);
    await bank.expectProof();
  });

  test("pays the pending charges it can afford first, its sisters' too", async () => {
    const gone = await bank.open({ ...TERMINATED, balanceMinor: 10_00n });
    const last = await bank.open({ accountId: gone.accountId, sharedBalance: true });
    const hers = await bank.owe(gone, 6_00n);
    const own = await bank.owe(last, 3_00n);
    const tooLarge = await bank.owe(last, 2_00n);
    const before = await walletMinor();
    const { body } = await terminate(last.cardId);
    expect(body.data).toMatchObject({ status: "Terminated", balance: 0 });
    expect(await walletMinor()).toBe(before + 1_00n);
    const { rows } = await bank.pool.query(
      "select charge_id as id, status from cross_border_charges where account_id = $1 order by charge_id",
      [gone.accountId],
    );
    expect(rows).toEqual([
      { id: hers.chargeId, status: "Collected" },
      { id: own.chargeId, status: "Collected" },
      { id: tooLarge.chargeId, status: "Pending" },
    ]);
    const typesOf = async (cardId: string) =>
      (await bank.eventsOf(cardId)).map(({ eventType, sequence }) => [eventType, sequence]);
    expect(await typesOf(gone.cardId)).toEqual([["charge.cross_border.collected", 1n]]);
    expect(await typesOf(last.cardId)).toEqual([
      ["charge.cross_border.collected", 1n],
      ["card.terminated", 2n],
    ]);
    await bank.expectProof();
  });

  test("has the wallet pay what it owes before what is left goes to it", async () => {
    const card = await bank.open({ balanceMinor: 10_00n });
    const before = await walletMinor();
    await bank.owe(card, 2_00n, { accountId: await bank.walletId() });
    await terminate(card.cardId);
    expect(await walletMinor()).toBe(before + 8_00n);
    const events = await bank.eventsOf(card.cardId);
    expect(events.at(-1)?.data.payout).toMatchObject({
      amount: 10,
      walletBalance: Number(before + 8_00n) / 100,
    });
  });

  test("pays more charges than one step holds before anything goes to the wallet", async () => {
    const gone = await bank.open({ ...TERMINATED, balanceMinor: 10_00n });
    const last = await bank.open({ accountId: gone.accountId, sharedBalance: true });
    for (let n = 0; n < 103; n++) {
      await bank.owe(gone, 1n);
      await bank.owe(last, 1n);
    }
    const before = await walletMinor();
    expect((await terminate(last.cardId)).body.data).toMatchObject({ status: "Terminated" });
    expect(await walletMinor()).toBe(before + 10_00n - 2_06n);
    const { rows } = await bank.pool.query(
      "select distinct status from cross_border_charges where account_id = $1",
      [gone.accountId],
    );
    expect(rows).toEqual([{ status: "Collected" }]);
    await bank.expectProof();
  });

  test("two that are the last together pay what is owed first", async () => {
    const gone = await bank.open({ ...TERMINATED, balanceMinor: 10_00n });
    const { accountId } = gone;
    const living = await Promise.all(
      [1, 2].map(() => bank.open({ accountId, sharedBalance: true })),
    );
    for (let n = 0; n < 210; n++) await bank.owe(gone, 1n);
    const before = await walletMinor();
    const answers = await Promise.all(living.map(({ cardId }) => terminate(cardId)));
    expect(tally(answers)).toEqual({ "200/000": 2 });
    expect(await walletMinor()).toBe(before + 10_00n - 2_10n);
    await bank.expectProof();
  });

  test("the oldest charges come first, whichever card owes them", async () => {
    const younger = await bank.open({ ...TERMINATED, balanceMinor: 2_01n });
    const older = await bank.open({ accountId: younger.accountId, sharedBalance: true });
    for (let n = 0; n < 201; n++) await bank.owe(older, 1n);
    await bank.owe(younger, 1n);
    expect((await terminate(older.cardId)).status).toBe(200);
    const { rows } = await bank.pool.query(
      "select card_id as id from cross_border_charges where account_id = $1 and status = 'Pending'",
      [younger.accountId],
    );
    expect(rows).toEqual([{ id: younger.cardId }]);
  });

  test("a lite card whose last money goes to many charges is terminated as asked", async () => {
    const card = await bank.open({ type: "Lite", swipeCount: 5, balanceMinor: 2_01n });
    for (let n = 0; n < 201; n++) await bank.owe(card, 1n);
    const { body } = await terminate(card.cardId);
    expect(body.data).toMatchObject({ status: "Terminated", terminationReason: "Requested" });
  });

  test("one that is refused collects nothing, however much is owed", async () => {
    const card = await bank.open({ balanceMinor: 10_00n });
    for (let n = 0; n < 201; n++) await bank.owe(card, 1n);
    const reference = newReference();
    await bank.client.get("/wallets", { reference });
    const path = `/cards/${card.cardId}/terminate`;
    expectRefusal(await bank.client.call("POST", path, { reference }), "400/139");
    expect(await bank.balanceOf(card.accountId)).toBe(10_00n);
  });
});

describe("what a terminated card's payments leave later", () => {
  const authorize = async (cardId: string, amount: number): Promise<string> => {
    const { body } = await bank.client.post("/simulator/authorizations", { cardId, amount });
    expect(body.data).toMatchObject({ approved: true });
    return body.data.transactionId;
  };
  const follow = (transactionId: string, step: string, body: object = {}) =>
    bank.client.post(`/simulator/transactions/${transactionId}/${step}`, body);

  test("goes to the wallet as soon as no hold is left: after the last of two reversals", async () => {
    const card = await bank.open({ balanceMinor: 10_00n });
    const payments = [await authorize(card.cardId, 1), await authorize(card.cardId, 2)];
    const before = await walletMinor();
    await terminate(card.cardId);
    await follow(payments[0] ?? "", "reverse");
    expect([await bank.balanceOf(card.accountId), await walletMinor()]).toEqual([10_00n, before]);
    await follow(payments[1] ?? "", "reverse");
    expect([await bank.balanceOf(card.accountId), await walletMinor()]).toEqual([
      0n,
      before + 10_00n,
    ]);
    await bank.expectProof();
  });

  test("goes to the wallet after a settlement, less what was settled", async () => {
    const card = await bank.open({ balanceMinor: 10_00n });
    const payment = await authorize(card.cardId, 4);
    const before = await walletMinor();
    await terminate(card.cardId);
    await follow(payment, "settle", { amount: 3 });
    expect([await bank.balanceOf(card.accountId), await walletMinor()]).toEqual([
      0n,
      before + 7_00n,
    ]);
    await bank.expectProof();
  });

  test("first cures a negative balance, and the rest goes to the wallet in the same entry", async () => {
    const card = await bank.open({ balanceMinor: -5_00n });
    await terminate(card.cardId);
    const before = await walletMinor();
    const refund = { cardId: card.cardId, amount: 8 };
    expect(verdict(await bank.client.post("/simulator/refunds", refund))).toBe("200/000");
    expect([await bank.balanceOf(card.accountId), await walletMinor()]).toEqual([
      0n,
      before + 3_00n,
    ]);
    const { rows } = await bank.pool.query(
      `select kind, amount_minor as "amountMinor" from postings where entry_id =
         (select entry_id from postings where debit_account_id = $1 and kind = 'TerminationPayout')
        order by posting_id`,
      [card.accountId],
    );
    expect(rows).toEqual([
      { kind: "Refund", amountMinor: 8_00n },
      { kind: "TerminationPayout", amountMinor: 3_00n },
    ]);
    await bank.expectProof();
  });
});

describe("a card whose balance others share", () => {
  test("pays its own charges only, and leaves the money to them", async () => {
    const card = await bank.open({ balanceMinor: 10_00n });
    const sister = await bank.open({ accountId: card.accountId, sharedBalance: true });
    await bank.owe(card, 2_00n);
    await bank.owe(sister, 1_00n);
    const before = await walletMinor();
    const { body } = await terminate(card.cardId);
    expect(body.data).toMatchObject({ status: "Terminated", balance: 8 });
    expect(await walletMinor()).toBe(before);

    const { body: last } = await terminate(sister.cardId);
    expect(last.data).toMatchObject({ status: "Terminated", balance: 0 });
    expect(await walletMinor()).toBe(before + 7_00n);
    await bank.expectProof();
  });

  test("two that are terminated at once leave nothing behind", async () => {
    for (let n = 0; n < 5; n++) {
      const card = await bank.open({ balanceMinor: 4_00n });
      const sister = await bank.open({ accountId: card.accountId, sharedBalance: true });
      const answers = await Promise.all([terminate(card.cardId), terminate(sister.cardId)]);
      expect(tally(answers)).toEqual({ "200/000": 2 });
      expect(await bank.balanceOf(card.accountId)).toBe(0n);
    }
    await bank.expectProof();
  });
});

describe("who can be terminated:", () => {
  test.each([
    ["an active card", {}, "200/000"],
    ["a frozen card", { status: "Frozen" }, "200/000"],
    ["a lite card", { type: "Lite" }, "200/000"],
    ["a terminated card", { status: "Terminated" }, "422/143"],
  ] as const)("%s", async (_what, change, expected) => {
    const card = await bank.open({ balanceMinor: 2_00n, ...change });
    expect(verdict(await terminate(card.cardId))).toBe(expected);
    expect(await bank.balanceOf(card.accountId)).toBe(expected === "200/000" ? 0n : 2_00n);
  });

  test("what is terminated stays so: no money in, none out, no change", async () => {
    const other = await bank.open({ balanceMinor: 5_00n });
    const { cardId } = await bank.open();
    await terminate(cardId);
    const deeds = [
      bank.client.post(`/cards/${cardId}/top-up`, { amount: 1 }),
      bank.client.post(`/cards/${cardId}/withdraw`, { amount: 1 }),
      bank.client.post("/cards/transfers", {
        sourceCardId: other.cardId,
        beneficiaryCardId: cardId,
        amount: 1,
      }),
      bank.client.call("POST", `/cards/${cardId}/freeze`),
      bank.client.call("POST", `/cards/${cardId}/unfreeze`),
      terminate(cardId),
    ];
    expect(tally(await Promise.all(deeds))).toEqual({ "422/143": 6 });
  });

  test.each([
    ["card_x", "400/112"],
    [newId("card", 0), "404/148"],
  ])("%s is no card", async (cardId, expected) => {
    expectRefusal(await terminate(cardId), expected);
  });

  test("another organization's card is unknown", async () => {
    const { cardId } = await bank.open();
    const { client } = await bank.foundAnother();
    expectRefusal(await terminate(cardId, undefined, client), "404/148");
  });
});

describe("the body:", () => {
  test("a reason is kept and shown", async () => {
    const { cardId } = await bank.open();
    const { body } = await terminate(cardId, { reason: "Karte verloren – 失くした" });
    expect(body.data.terminationReason).toBe("Karte verloren – 失くした");
    const { body: read } = await bank.client.get(`/cards/${cardId}`);
    expect(read.data).toEqual(body.data);
  });

  test.each<[string, unknown, string]>([
    ["none", undefined, "Requested"],
    ["an empty object", {}, "Requested"],
    ["200 characters", { reason: "é".repeat(200) }, "é".repeat(200)],
  ])("%s is taken", async (_what, body, reason) => {
    const { cardId } = await bank.open();
    expect((await terminate(cardId, body)).body.data.terminationReason).toBe(reason);
  });

  test.each<[string, unknown, string]>([
    ["201 characters", { reason: "x".repeat(201) }, "reason"],
    ["no text", { reason: 5 }, "reason"],
    ["an empty reason", { reason: "" }, "reason"],
    ["a line break in it", { reason: "a\nb" }, "reason"],
    ["a field that nobody knows", { why: "x" }, "why"],
  ])("%s is refused", async (_what, body, field) => {
    const { cardId } = await bank.open();
    const answer = await terminate(cardId, body);
    expectRefusal(answer, "400/131");
    expect(fieldsOf(answer)).toEqual([field]);
  });
});

describe("under pressure:", () => {
  test("a Reference terminates once; other References find the card closed", async () => {
    const { cardId } = await bank.open({ balanceMinor: 1_00n });
    const reference = newReference();
    const path = `/cards/${cardId}/terminate`;
    const same = Array.from({ length: 4 }, () => bank.client.call("POST", path, { reference }));
    expect(tally(await Promise.all(same))).toEqual({ "200/000": 1, "400/139": 3 });
    expectRefusal(await terminate(cardId), "422/143");
  });

  test("with top-ups and withdrawals at the same time no cent is left on the card or lost", async () => {
    const card = await bank.open({ balanceMinor: 20_00n });
    const before = await walletMinor();
    const answers = await Promise.all([
      ...Array.from({ length: 10 }, (_, n) =>
        bank.client.post(`/cards/${card.cardId}/${n % 2 === 0 ? "top-up" : "withdraw"}`, {
          amount: 1,
        }),
      ),
      terminate(card.cardId),
      ...Array.from({ length: 10 }, () =>
        bank.client.post(`/cards/${card.cardId}/top-up`, { amount: 1 }),
      ),
    ]);
    expect(Object.keys(tally(answers)).every((each) => /^(200\/000|422\/143)$/.test(each))).toBe(
      true,
    );
    expect(await bank.balanceOf(card.accountId)).toBe(0n);
    expect(await walletMinor()).toBe(before + 20_00n);
    await bank.expectProof();
  });
});
