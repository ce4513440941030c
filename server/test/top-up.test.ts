import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newId } from "../src/foundation/ids.ts";
import { expectRefusal, fieldsOf, verdict } from "./harness/answers.ts";
import { newReference } from "./harness/api-client.ts";
import { type Bank, openBank, tally } from "./harness/bank.ts";
import { openCard } from "./harness/cards.ts";

let bank: Bank;
beforeAll(async () => {
  bank = await openBank();
});
afterAll(() => bank.stop());

const topUp = (cardId: string, amount: unknown, client = bank.client) =>
  client.post(`/cards/${cardId}/top-up`, { amount });

test("a top-up moves money from the wallet to the card and says what is left", async () => {
  const { cardId, customerId } = await bank.open({ balanceMinor: 500n });
  const { status, body } = await topUp(cardId, 25.5);
  expect(status).toBe(200);
  expect(body.data).toMatchObject({
    cardId,
    customerId,
    type: "TopUp",
    stage: "Completed",
    approved: true,
    responseCode: "000",
    amount: 25.5,
    currency: "USD",
    cardBalance: 30.5,
    walletBalance: 99_974.5,
  });
  expect(await bank.eventsOf(cardId)).toEqual([
    { eventType: "card.topped_up", sequence: 1n, data: body.data },
  ]);
  await bank.expectProof();
});

describe("who can be topped up:", () => {
  test.each<[string, Parameters<Bank["open"]>[0], string]>([
    ["an active card", {}, "200/000"],
    ["a corporate card", { type: "Corporate" }, "200/000"],
    ["a frozen card", { status: "Frozen" }, "200/000"],
    ["a card below zero", { balanceMinor: -500n }, "200/000"],
    ["a terminated card", { status: "Terminated" }, "422/143"],
    ["a lite card", { type: "Lite" }, "422/119"],
    ["a terminated lite card", { type: "Lite", status: "Terminated" }, "422/143"],
  ])("%s", async (_what, change, expected) => {
    const card = await bank.open(change);
    const before = await bank.balanceOf(card.accountId);
    const answer = await topUp(card.cardId, 1);
    expect(verdict(answer)).toBe(expected);
    const arrived = (await bank.balanceOf(card.accountId)) - before;
    expect(arrived).toBe(expected === "200/000" ? 100n : 0n);
  });

  test.each<[string, Parameters<Bank["open"]>[0], string]>([
    ["a terminated card", { status: "Terminated" }, "422/143"],
    ["a lite card", { type: "Lite" }, "422/119"],
  ])("%s is refused as such, however much is asked for", async (_what, change, expected) => {
    const { cardId } = await bank.open(change);
    expectRefusal(await topUp(cardId, 10_000_000), expected);
  });

  test("a top-up brings a negative balance up by its amount", async () => {
    const { cardId } = await bank.open({ balanceMinor: -500n });
    const { body } = await topUp(cardId, 7.25);
    expect(body.data.cardBalance).toBe(2.25);
  });
});

describe("amounts:", () => {
  test.each<[string, unknown, string]>([
    ["the smallest", 0.01, "200/000"],
    ["the programme's maximum", 10_000, "200/000"],
    ["a cent above it", 10_000.01, "422/114"],
    ["the most that any amount may be, above the maximum", 10_000_000, "422/114"],
    ["nothing", 0, "400/111"],
    ["less than nothing", -5, "400/111"],
    ["a fraction of a cent", 1.001, "400/111"],
    ["more than any amount may be", 10_000_000.01, "400/111"],
    ["text", "25.5", "400/111"],
    ["null", null, "400/111"],
    ["a list", [1], "400/111"],
    ["none", undefined, "400/131"],
  ])("%s", async (_what, amount, expected) => {
    const { cardId } = await bank.open();
    expect(verdict(await topUp(cardId, amount))).toBe(expected);
  });

  test("another programme, another maximum: 5,000,000.00 for NGN", async () => {
    await bank.client.post("/simulator/wallets/deposits", { currency: "NGN", amount: 6_000_000 });
    const { cardId } = await bank.open({ currency: "NGN", programmeId: "ngn-ng" });
    expectRefusal(await topUp(cardId, 5_000_000.01), "422/114");
    expect(verdict(await topUp(cardId, 5_000_000))).toBe("200/000");
  });

  test("a field that nobody knows is named", async () => {
    const { cardId } = await bank.open();
    const answer = await bank.client.post(`/cards/${cardId}/top-up`, { amount: 1, curency: "USD" });
    expectRefusal(answer, "400/131");
    expect(fieldsOf(answer)).toEqual(["curency"]);
  });
});

test("a wallet that is short pays nothing, not even a part", async () => {
  const { client, organizationId } = await bank.foundAnother();
  await client.post("/simulator/wallets/deposits", { currency: "USD", amount: 10 });
  const { cardId } = await openCard(bank.pool, organizationId);
  expectRefusal(await topUp(cardId, 10.01, client), "422/116");
  expect(verdict(await topUp(cardId, 10, client))).toBe("200/000");
  expectRefusal(await topUp(cardId, 0.01, client), "422/116");
});

describe("cards that are not there:", () => {
  test.each([
    ["no card id", "no-card", "400/112"],
    ["an id of something else", newId("cus", 0), "400/112"],
    ["a card that nobody has", newId("card", 0), "404/148"],
  ])("%s", async (_what, cardId, expected) => {
    expectRefusal(await topUp(cardId, 1), expected);
  });

  test("another organization's card is one that nobody has", async () => {
    const { cardId } = await bank.open();
    const { client } = await bank.foundAnother();
    const stranger = await topUp(cardId, 1, client);
    const nobody = await topUp(newId("card", 0), 1, client);
    expect({ ...stranger.body, requestId: "" }).toEqual({ ...nobody.body, requestId: "" });
    expectRefusal(stranger, "404/148");
  });
});

describe("under pressure:", () => {
  test("the same Reference tops up once", async () => {
    const { cardId } = await bank.open();
    const reference = newReference();
    const answers = await Promise.all(
      Array.from({ length: 8 }, () =>
        bank.client.post(`/cards/${cardId}/top-up`, { amount: 3 }, { reference }),
      ),
    );
    expect(tally(answers)).toEqual({ "200/000": 1, "400/139": 7 });
    expect(await bank.eventsOf(cardId)).toHaveLength(1);
    const { body } = await bank.client.get(`/requests/${reference}`);
    const [success] = answers.filter(({ status }) => status === 200);
    expect(body.data).toMatchObject({
      state: "Succeeded",
      resourceId: success?.body.data.transactionId,
    });
  });

  test("many at once add up, and their events have no gap", async () => {
    const first = await bank.open();
    const second = await bank.open({ accountId: first.accountId, sharedBalance: true });
    const cards = [first, second];
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, n) => topUp(cards[n % 2]?.cardId ?? "", 0.25)),
    );
    expect(tally(answers)).toEqual({ "200/000": 40 });
    expect(await bank.balanceOf(first.accountId)).toBe(1000n);
    for (const { cardId } of cards) {
      const sequences = (await bank.eventsOf(cardId)).map(({ sequence }) => sequence);
      expect(sequences).toEqual(Array.from({ length: 20 }, (_, n) => BigInt(n + 1)));
    }
    await bank.expectProof();
  });
});
