import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newId } from "../src/foundation/ids.ts";
import { expectRefusal, verdict } from "./harness/answers.ts";
import { newReference } from "./harness/api-client.ts";
import { type Bank, openBank, tally } from "./harness/bank.ts";

let bank: Bank;
beforeAll(async () => {
  bank = await openBank();
});
afterAll(() => bank.stop());

const withdraw = (cardId: string, amount: unknown, client = bank.client) =>
  client.post(`/cards/${cardId}/withdraw`, { amount });

test("a withdrawal moves money from the card to the wallet and says what is left", async () => {
  const { cardId, customerId } = await bank.open({ balanceMinor: 50_00n });
  const { status, body } = await withdraw(cardId, 25.5);
  expect(status).toBe(200);
  expect(body.data).toMatchObject({
    cardId,
    customerId,
    type: "Withdrawal",
    stage: "Completed",
    approved: true,
    amount: 25.5,
    currency: "USD",
    cardBalance: 24.5,
    walletBalance: 100_025.5,
  });
  expect(await bank.eventsOf(cardId)).toEqual([
    { eventType: "card.withdrawn", sequence: 1n, data: body.data },
  ]);
  await bank.expectProof();
});

describe("what must stay on the card:", () => {
  test.each<[string, bigint, bigint, number, string]>([
    ["exactly 1.00 may stay", 10_00n, 0n, 9, "200/000"],
    ["a cent less may not", 10_00n, 0n, 9.01, "422/116"],
    ["the whole balance cannot go", 10_00n, 0n, 10, "422/116"],
    ["more than there is cannot go", 10_00n, 0n, 11, "422/116"],
    ["a card with less than 1.00 gives nothing", 99n, 0n, 0.01, "422/116"],
    ["a card below zero gives nothing", -5_00n, 0n, 1, "422/116"],
    ["what is held does not count: available", 10_00n, 4_00n, 5, "200/000"],
    ["what is held does not count: too much", 10_00n, 4_00n, 5.01, "422/116"],
  ])("%s", async (_what, balanceMinor, heldMinor, amount, expected) => {
    const card = await bank.open({ balanceMinor });
    if (heldMinor > 0n) await bank.hold(card, heldMinor);
    const answer = await withdraw(card.cardId, amount);
    expect(verdict(answer)).toBe(expected);
    if (expected === "422/116") {
      expect(answer.body.responseMessage).toMatch(/1\.00 USD must stay available/);
      expect(await bank.balanceOf(card.accountId)).toBe(balanceMinor);
    }
  });

  test("another programme, another minimum: 100.00 for NGN", async () => {
    await bank.client.post("/simulator/wallets/deposits", { currency: "NGN", amount: 1 });
    const card = { currency: "NGN", programmeId: "ngn-ng", balanceMinor: 500_00n } as const;
    const { cardId } = await bank.open(card);
    expectRefusal(await withdraw(cardId, 400.01), "422/116");
    const { body } = await withdraw(cardId, 400);
    expect(body.data).toMatchObject({ cardBalance: 100, walletBalance: 401, currency: "NGN" });
  });
});

describe("who gives money back:", () => {
  test.each<[string, Parameters<Bank["open"]>[0], string]>([
    ["an active card", {}, "200/000"],
    ["a corporate card", { type: "Corporate" }, "200/000"],
    ["a frozen card", { status: "Frozen" }, "422/117"],
    ["a terminated card", { status: "Terminated" }, "422/143"],
    ["a lite card", { type: "Lite" }, "422/119"],
    ["a frozen lite card", { type: "Lite", status: "Frozen" }, "422/117"],
  ])("%s", async (_what, change, expected) => {
    const { cardId } = await bank.open({ balanceMinor: 10_00n, ...change });
    expect(verdict(await withdraw(cardId, 1))).toBe(expected);
  });

  test.each<[string, Parameters<Bank["open"]>[0], string]>([
    ["a frozen card", { status: "Frozen" }, "422/117"],
    ["a terminated card", { status: "Terminated" }, "422/143"],
    ["a lite card", { type: "Lite" }, "422/119"],
  ])("%s is refused as such, also without the money", async (_what, change, expected) => {
    const { cardId } = await bank.open(change);
    expectRefusal(await withdraw(cardId, 1), expected);
  });

  test("a card whose sister on the same balance is frozen", async () => {
    const frozen = await bank.open({ balanceMinor: 10_00n, status: "Frozen" });
    const active = await bank.open({ accountId: frozen.accountId, sharedBalance: true });
    expectRefusal(await withdraw(frozen.cardId, 1), "422/117");
    expect(verdict(await withdraw(active.cardId, 1))).toBe("200/000");
  });
});

describe("what is wrong with the request:", () => {
  test.each<[string, unknown, string]>([
    ["nothing", 0, "400/111"],
    ["less than nothing", -1, "400/111"],
    ["a fraction of a cent", 1.001, "400/111"],
    ["more than any amount may be", 10_000_001, "400/111"],
    ["text", "1", "400/111"],
    ["no amount", undefined, "400/131"],
  ])("%s", async (_what, amount, expected) => {
    const { cardId } = await bank.open({ balanceMinor: 10_00n });
    expectRefusal(await withdraw(cardId, amount), expected);
  });

  test("no card id, no card, another organization's card", async () => {
    const { cardId } = await bank.open({ balanceMinor: 10_00n });
    expectRefusal(await withdraw("card_x", 1), "400/112");
    expectRefusal(await withdraw(newId("card", 0), 1), "404/148");
    const { client } = await bank.foundAnother();
    expectRefusal(await withdraw(cardId, 1, client), "404/148");
  });
});

describe("under pressure:", () => {
  test("two cards of one balance never take it below its minimum together", async () => {
    const first = await bank.open({ balanceMinor: 10_00n });
    const second = await bank.open({ accountId: first.accountId, sharedBalance: true });
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, n) => withdraw([first, second][n % 2]?.cardId ?? "", 1)),
    );
    expect(tally(answers)).toEqual({ "200/000": 9, "422/116": 21 });
    expect(await bank.balanceOf(first.accountId)).toBe(1_00n);
    await bank.expectProof();
  });

  test("the same Reference withdraws once", async () => {
    const { cardId, accountId } = await bank.open({ balanceMinor: 10_00n });
    const reference = newReference();
    const answers = await Promise.all(
      Array.from({ length: 5 }, () =>
        bank.client.post(`/cards/${cardId}/withdraw`, { amount: 1 }, { reference }),
      ),
    );
    expect(tally(answers)).toEqual({ "200/000": 1, "400/139": 4 });
    expect(await bank.balanceOf(accountId)).toBe(9_00n);
  });

  test("a refused withdrawal is retried with its Reference once there is money", async () => {
    const { cardId } = await bank.open({ balanceMinor: 1_00n });
    const reference = newReference();
    const attempt = (amount: number) =>
      bank.client.post(`/cards/${cardId}/withdraw`, { amount }, { reference });
    expectRefusal(await attempt(5), "422/116");
    await bank.client.post(`/cards/${cardId}/top-up`, { amount: 5 });
    expectRefusal(await attempt(4), "400/139");
    expect(verdict(await attempt(5))).toBe("200/000");
    expectRefusal(await attempt(5), "400/139");
  });
});
