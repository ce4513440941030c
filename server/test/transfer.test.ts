import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newId } from "../src/foundation/ids.ts";
import { expectRefusal, fieldsOf, verdict } from "./harness/answers.ts";
import { newReference } from "./harness/api-client.ts";
import { type Bank, openBank, tally } from "./harness/bank.ts";

let bank: Bank;
beforeAll(async () => {
  bank = await openBank();
});
afterAll(() => bank.stop());

const send = (
  sourceCardId: unknown,
  beneficiaryCardId: unknown,
  amount: unknown,
  client = bank.client,
) => client.post("/cards/transfers", { sourceCardId, beneficiaryCardId, amount });

type Kind = Parameters<Bank["open"]>[0];

type Opened = Awaited<ReturnType<Bank["open"]>>;

async function pair(source: Kind = {}, beneficiary: Kind = {}): Promise<[Opened, Opened]> {
  return [await bank.open({ balanceMinor: 10_00n, ...source }), await bank.open(beneficiary)];
}

test("a transfer debits one card, credits the other, and is told to both", async () => {
  const [source, beneficiary] = await pair({}, { balanceMinor: 1_00n });
  const walletBefore = await bank.balanceOf(await bank.walletId());
  const { status, body } = await send(source.cardId, beneficiary.cardId, 2.5);
  expect(status).toBe(200);
  const { transactionId } = body.data;
  expect(body.data).toMatchObject({
    cardId: source.cardId,
    customerId: source.customerId,
    type: "Transfer",
    stage: "Completed",
    amount: 2.5,
    currency: "USD",
    transferId: transactionId,
    sourceCardId: source.cardId,
    beneficiaryCardId: beneficiary.cardId,
    cardBalance: 7.5,
  });
  expect(body.data).not.toHaveProperty("walletBalance");
  expect(await bank.eventsOf(source.cardId)).toEqual([
    { eventType: "card.transferred", sequence: 1n, data: body.data },
  ]);
  const [received, ...more] = await bank.eventsOf(beneficiary.cardId);
  expect(more).toEqual([]);
  expect(received).toMatchObject({
    eventType: "card.transferred",
    sequence: 1n,
    data: {
      cardId: beneficiary.cardId,
      customerId: beneficiary.customerId,
      type: "Transfer",
      amount: 2.5,
      transferId: transactionId,
      cardBalance: 3.5,
    },
  });
  expect(received?.data.transactionId).not.toBe(transactionId);
  const { rows } = await bank.pool.query(
    `select card_id as "cardId" from transactions where transfer_id = $1 order by card_id`,
    [transactionId],
  );
  expect(rows.map(({ cardId }) => cardId)).toEqual([source.cardId, beneficiary.cardId].sort());
  expect(await bank.balanceOf(await bank.walletId())).toBe(walletBefore);
  await bank.expectProof();
});

describe("between which cards:", () => {
  test.each<[string, Kind, Kind, string]>([
    ["active to active", {}, {}, "200/000"],
    ["retail to corporate", {}, { type: "Corporate" }, "200/000"],
    ["to a frozen card, which is a kind of top-up", {}, { status: "Frozen" }, "200/000"],
    ["to a card below zero", {}, { balanceMinor: -5_00n }, "200/000"],
    ["from a frozen card", { status: "Frozen" }, {}, "422/117"],
    ["from a terminated card", { status: "Terminated" }, {}, "422/143"],
    ["to a terminated card", {}, { status: "Terminated" }, "422/143"],
    ["from a lite card", { type: "Lite" }, {}, "422/119"],
    ["to a lite card", {}, { type: "Lite" }, "422/119"],
    [
      "from a frozen card to a terminated one",
      { status: "Frozen" },
      { status: "Terminated" },
      "422/117",
    ],
  ])("%s", async (_what, from, to, expected) => {
    const [source, beneficiary] = await pair(from, to);
    const before = await bank.balanceOf(beneficiary.accountId);
    expect(verdict(await send(source.cardId, beneficiary.cardId, 1))).toBe(expected);
    const movedMinor = expected === "200/000" ? 1_00n : 0n;
    expect(await bank.balanceOf(source.accountId)).toBe(10_00n - movedMinor);
    expect(await bank.balanceOf(beneficiary.accountId)).toBe(before + movedMinor);
  });

  test.each<[string, Kind, Kind, string]>([
    ["from a frozen card", { status: "Frozen" }, {}, "422/117"],
    ["from a lite card", { type: "Lite" }, {}, "422/119"],
    ["to a lite card", {}, { type: "Lite" }, "422/119"],
    ["to a terminated card", {}, { status: "Terminated" }, "422/143"],
  ])("%s: refused as such, also without the money", async (_what, from, to, expected) => {
    const [source, beneficiary] = await pair(from, to);
    expectRefusal(await send(source.cardId, beneficiary.cardId, 11), expected);
  });

  test("not between currencies, whatever else is wrong with the cards", async () => {
    await bank.client.post("/simulator/wallets/deposits", { currency: "NGN", amount: 1 });
    const naira = { currency: "NGN", programmeId: "ngn-ng", status: "Terminated" } as const;
    const [source, beneficiary] = await pair({}, naira);
    const answer = await send(source.cardId, beneficiary.cardId, 1);
    expectRefusal(answer, "422/121");
    expect(answer.body.responseMessage).toBe("The two cards have different currencies");
  });

  test("not from a card to itself, nor to another card of the same balance", async () => {
    const [source] = await pair();
    const sister = await bank.open({ accountId: source.accountId, sharedBalance: true });
    expectRefusal(await send(source.cardId, source.cardId, 1), "422/119");
    for (const amount of [1, 11]) {
      expectRefusal(await send(source.cardId, sister.cardId, amount), "422/119");
    }
  });
});

describe("how much:", () => {
  test.each<[string, bigint, number, string]>([
    ["all that there is: only withdrawals leave a minimum", 0n, 10, "200/000"],
    ["a cent more", 0n, 10.01, "422/116"],
    ["all but what is held", 4_00n, 6, "200/000"],
    ["a part of what is held", 4_00n, 6.01, "422/116"],
  ])("%s", async (_what, heldMinor, amount, expected) => {
    const [source, beneficiary] = await pair();
    if (heldMinor > 0n) await bank.hold(source, heldMinor);
    expect(verdict(await send(source.cardId, beneficiary.cardId, amount))).toBe(expected);
  });

  test("more than a top-up may bring", async () => {
    const [source, beneficiary] = await pair({ balanceMinor: 20_000_00n });
    expect(verdict(await send(source.cardId, beneficiary.cardId, 15_000))).toBe("200/000");
  });
});

describe("what is wrong with the request:", () => {
  test.each<[string, (cards: string[]) => unknown[], string]>([
    ["a malformed source", ([, b]) => ["x", b, 1], "400/112"],
    ["a malformed beneficiary", ([a]) => [a, "card_", 1], "400/112"],
    ["both malformed", () => ["x", 5, 1], "400/112"],
    ["no source", ([, b]) => [undefined, b, 1], "400/131"],
    ["an unknown source", ([, b]) => [newId("card", 0), b, 1], "404/148"],
    ["an unknown beneficiary", ([a]) => [a, newId("card", 0), 1], "404/148"],
    ["nothing to send", ([a, b]) => [a, b, 0], "400/111"],
    ["a fraction of a cent", ([a, b]) => [a, b, 0.001], "400/111"],
    ["an amount in words", ([a, b]) => [a, b, "1"], "400/111"],
    ["no amount", ([a, b]) => [a, b, undefined], "400/131"],
  ])("%s", async (_what, argumentsFor, expected) => {
    const cards = await pair();
    const [source, beneficiary, amount] = argumentsFor(cards.map(({ cardId }) => cardId));
    expectRefusal(await send(source, beneficiary, amount), expected);
  });

  test("every wrong field is named", async () => {
    const answer = await send("x", "y", 1);
    expect(fieldsOf(answer)).toEqual(["sourceCardId", "beneficiaryCardId"]);
  });

  test("another organization's card is unknown on either side", async () => {
    const [ours, another] = await pair();
    const { client } = await bank.foundAnother();
    expectRefusal(await send(ours.cardId, another.cardId, 1, client), "404/148");
  });
});

describe("under pressure:", () => {
  test("money sent around in circles is neither made nor lost, and nobody goes below zero", async () => {
    const ring = [await bank.open({ balanceMinor: 3_00n }), ...(await pair()), await bank.open()];
    const sister = await bank.open({ accountId: ring[0]?.accountId ?? "", sharedBalance: true });
    const cards = [...ring, sister].map(({ cardId }) => cardId);
    const accounts = ring.map(({ accountId }) => accountId);
    const total = async () => {
      const balances = await Promise.all(accounts.map((id) => bank.balanceOf(id)));
      expect(balances.every((balance) => balance >= 0n)).toBe(true);
      return balances.reduce((sum, balance) => sum + balance, 0n);
    };
    const before = await total();
    const answers = await Promise.all(
      Array.from({ length: 120 }, (_, n) =>
        send(cards[n % 5], cards[(n + 1 + (n % 3)) % 5], 1 + (n % 4)),
      ),
    );
    const verdicts = tally(answers);
    expect(verdicts["200/000"]).toBeGreaterThan(0);
    expect(Object.keys(verdicts).sort()).toEqual(["200/000", "422/116", "422/119"]);
    expect(await total()).toBe(before);
    await bank.expectProof();
  });

  test("the same Reference transfers once", async () => {
    const [source, beneficiary] = await pair();
    const reference = newReference();
    const body = { sourceCardId: source.cardId, beneficiaryCardId: beneficiary.cardId, amount: 4 };
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => bank.client.post("/cards/transfers", body, { reference })),
    );
    expect(tally(answers)).toEqual({ "200/000": 1, "400/139": 4 });
    expect(await bank.balanceOf(beneficiary.accountId)).toBe(4_00n);
  });
});
