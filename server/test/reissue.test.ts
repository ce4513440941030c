import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Card } from "../src/cards/card.ts";
import { newId } from "../src/foundation/ids.ts";
import { expectEnvelope, expectRefusal, fieldsOf, verdict } from "./harness/answers.ts";
import { type ApiAnswer, newReference } from "./harness/api-client.ts";
import { type Bank, openBank, tally } from "./harness/bank.ts";
import { openCustomer } from "./harness/customers.ts";
import { accra, lagos } from "./harness/kyc.ts";

let bank: Bank;
beforeAll(async () => {
  bank = await openBank();
});
afterAll(() => bank.stop());

const customer = (change: Parameters<typeof openCustomer>[2] = {}): Promise<string> =>
  openCustomer(bank.pool, bank.organizationId, change);

const reissue = (body: object, reference = newReference()): Promise<ApiAnswer> =>
  bank.client.post("/cards/reissue", body, { reference });

const issue = (kind: string, body: object): Promise<ApiAnswer> =>
  bank.client.post(`/cards/${kind}`, body);

// biome-ignore lint/suspicious/noExplicitAny: tests look into cards of every shape.
const read = async (cardId: string): Promise<any> =>
  (await bank.client.get(`/cards/${cardId}`)).body.data;

const accountOf = async (cardId: string): Promise<string> => {
  const { rows } = await bank.pool.query("select account_id as id from cards where card_id = $1", [
    cardId,
  ]);
  return rows[0].id;
};

describe("with a shared balance", () => {
  test("the new card spends from the account of the original, and both say so", async () => {
    const customerId = await customer();
    const address = { ...accra, postalCode: "GA-1" };
    const original = (
      await issue("retail", { customerId, initialBalance: 20, nameOnCard: "A OBI", address })
    ).body.data;
    const answer = await reissue({
      customerId,
      sharedBalance: true,
      cardId: original.cardId,
      contactlessPayment: true,
      cardLimits: { dailyLimit: 5 },
      whiteListedMccs: ["5411"],
      metadata: { of: "a friend" },
    });
    expectEnvelope(answer);
    const { data } = answer.body;
    expect(data).toMatchObject({
      customerId,
      type: "Retail",
      status: "Active",
      currency: "USD",
      nameOnCard: "A OBI",
      balance: 20,
      availableBalance: 20,
      sharedBalance: true,
      contactlessPayment: true,
      cardLimits: { dailyLimit: 5 },
      whiteListedMccs: ["5411"],
      billingAddress: address,
      metadata: { of: "a friend" },
    });
    expect(data.cardId).not.toBe(original.cardId);
    const after = await read(original.cardId);
    expect(after).toEqual({ ...original, sharedBalance: true });
    expect(await accountOf(data.cardId)).toBe(await accountOf(original.cardId));

    await bank.client.post(`/cards/${data.cardId}/top-up`, { amount: 5 });
    expect([(await read(data.cardId)).balance, (await read(original.cardId)).balance]).toEqual([
      25, 25,
    ]);
    await bank.expectProof();
  });

  test("both tell of it, the original once only", async () => {
    const customerId = await customer();
    const { cardId } = (await issue("retail", { customerId })).body.data;
    await bank.client.post(`/cards/${cardId}/merchants/blacklist`, { mid: "BAD" });
    const body = { customerId, sharedBalance: true, cardId };
    const [second, third] = [await reissue(body), await reissue(body)];
    expect(await bank.eventsOf(cardId)).toMatchObject([
      { eventType: "card.issued", sequence: 1n },
      { eventType: "card.merchants_changed", sequence: 2n },
      { eventType: "card.updated", sequence: 3n, data: await read(cardId) },
    ]);
    for (const { body } of [second, third]) {
      expect(await bank.eventsOf(body.data.cardId)).toEqual([
        { eventType: "card.issued", sequence: 1n, data: body.data },
      ]);
    }
  });

  test("type, currency and account are the original's, whatever came later", async () => {
    const customerId = await customer({ type: "Business" });
    const original = await bank.open({
      customerId,
      type: "Corporate",
      currency: "NGN",
      programmeId: "ngn-ng",
      brand: "Verve",
      status: "Frozen",
    });
    await issue("corporate", { customerId });
    const { body } = await reissue({ customerId, sharedBalance: true, cardId: original.cardId });
    expect(body.data).toMatchObject({
      type: "Corporate",
      currency: "NGN",
      brand: "Verve",
      status: "Active",
      billingAddress: lagos, // the original had none
    });
    expect((await read(original.cardId)).status).toBe("Frozen");
  });

  test("what is held is held on the new card, too", async () => {
    const customerId = await customer();
    const original = await bank.open({ customerId, balanceMinor: 20_00n });
    await bank.hold(original, 4_00n);
    const { cardId } = original;
    const { body } = await reissue({ customerId, sharedBalance: true, cardId });
    expect(body.data).toMatchObject({ balance: 20, availableBalance: 16, heldAmount: 4 });
    expect(await read(body.data.cardId)).toEqual(body.data);
  });

  test("an address that is sent is the new card's, not the original's", async () => {
    const customerId = await customer();
    const { cardId } = (await issue("retail", { customerId })).body.data;
    const { body } = await reissue({ customerId, sharedBalance: true, cardId, address: accra });
    expect(body.data.billingAddress).toEqual(accra);
    expect((await read(cardId)).billingAddress).toEqual(lagos);
  });

  test.each<[string, Partial<Card>]>([
    ["422/119", { type: "Lite", swipeCount: 3 }],
    ["422/143", { status: "Terminated", terminatedAt: new Date() }],
    ["422/119", { type: "Lite", swipeCount: 3, status: "Terminated", terminatedAt: new Date() }],
  ])("%s for an original with %j", async (expected, change) => {
    const customerId = await customer();
    const { cardId } = await bank.open({ customerId, ...change });
    expectRefusal(await reissue({ customerId, sharedBalance: true, cardId }), expected);
    expect((await read(cardId)).sharedBalance).toBe(false);
  });

  test("a card that is not the customer's is no card of theirs", async () => {
    const [customerId, other] = [await customer(), await customer()];
    const { cardId } = await bank.open({ customerId: other });
    const another = await bank.foundAnother();
    const theirs = (
      await another.client.post("/cards/retail", {
        customerId: await openCustomer(bank.pool, another.organizationId),
      })
    ).body.data;
    for (const id of [cardId, theirs.cardId, newId("card", 0)]) {
      const body = { customerId, sharedBalance: true, cardId: id };
      expectRefusal(await reissue(body), "404/148");
    }
    const malformed = { customerId, sharedBalance: true, cardId: "card_1" };
    const answer = await reissue(malformed);
    expectRefusal(answer, "400/112");
    expect(fieldsOf(answer)).toEqual(["cardId"]);
  });

  test("many at once all share one account, and the original is told once", async () => {
    const customerId = await customer();
    const { cardId } = (await issue("retail", { customerId, initialBalance: 3 })).body.data;
    const body = { customerId, sharedBalance: true, cardId };
    const answers = await Promise.all(Array.from({ length: 10 }, () => reissue(body)));
    expect(tally(answers)).toEqual({ "200/000": 10 });
    expect(answers.map(({ body }) => body.data.balance)).toEqual(Array(10).fill(3));
    const { rows } = await bank.pool.query(
      `select count(distinct account_id)::int as accounts, bool_and(shared_balance) as shared
         from cards where customer_id = $1`,
      [customerId],
    );
    expect(rows).toEqual([{ accounts: 1, shared: true }]);
    expect(await bank.eventsOf(cardId)).toHaveLength(2);
    await bank.expectProof();
  });
});

describe("with a balance of its own", () => {
  test("it is like the latest card, and funded from the wallet", async () => {
    const customerId = await customer();
    await issue("retail", { customerId, nameOnCard: "FIRST" });
    const latest = await issue("retail", { customerId, nameOnCard: "A OBI", address: accra });
    const { body } = await reissue({ customerId, sharedBalance: false, initialBalance: 7 });
    expect(body.data).toMatchObject({
      type: "Retail",
      currency: "USD",
      nameOnCard: "A OBI",
      billingAddress: accra,
      sharedBalance: false,
      balance: 7,
    });
    const { cardId } = latest.body.data;
    expect(await accountOf(body.data.cardId)).not.toBe(await accountOf(cardId));
    expect((await read(cardId)).sharedBalance).toBe(false);
    expect(await bank.eventsOf(cardId)).toHaveLength(1);
    await bank.expectProof();
  });

  test("without an initial balance it is empty", async () => {
    const customerId = await customer();
    const { body } = await reissue({ customerId, sharedBalance: false });
    expect(body.data).toMatchObject({ balance: 0, contactlessPayment: false, cardLimits: {} });
  });

  test("it has the settings that are sent, none of the latest card's", async () => {
    const customerId = await customer();
    const earlier = { contactlessPayment: true, metadata: { of: "before" } };
    await issue("retail", { customerId, cardLimits: { dailyLimit: 1 }, ...earlier });
    const settings = {
      contactlessPayment: false,
      cardLimits: { transactionLimit: 5 },
      whiteListedMccs: ["5411"],
      blackListedMccs: ["7995"],
      metadata: { of: "now" },
    };
    const { body } = await reissue({ customerId, sharedBalance: false, ...settings });
    expect(body.data).toMatchObject(settings);
    expect(body.data.cardLimits).toEqual(settings.cardLimits);
  });

  test.each([
    ["Individual", "Retail", "ADA OBI"],
    ["Business", "Corporate", "OBI AND SONS LTD"],
  ] as const)("an %s's first card is %s", async (type, expected, nameOnCard) => {
    const customerId = await customer({ type });
    const { body } = await reissue({ customerId, sharedBalance: false });
    expect(body.data).toMatchObject({
      type: expected,
      currency: "USD",
      nameOnCard,
      billingAddress: lagos,
    });
  });

  test.each([
    ["Individual", "Retail"],
    ["Business", "Corporate"],
  ] as const)("an %s whose latest card is lite gets a %s one", async (type, expected) => {
    const customerId = await customer({ type });
    await issue("lite", { customerId, balance: 1, swipeCount: 1 });
    const { body } = await reissue({ customerId, sharedBalance: false });
    expect(body.data).toMatchObject({ type: expected, currency: "USD" });
    expect(body.data).not.toHaveProperty("swipeCount");
  });

  test("the currency is the latest card's, also where that is lite", async () => {
    const customerId = await customer();
    const naira = { currency: "NGN", programmeId: "ngn-ng" } as const;
    await bank.open({ customerId, type: "Lite", swipeCount: 3, ...naira });
    const { body } = await reissue({ customerId, sharedBalance: false });
    expect(body.data).toMatchObject({ type: "Retail", currency: "NGN" });
  });

  test("a terminated card counts as the latest too", async () => {
    const customerId = await customer();
    await bank.client.post("/simulator/wallets/deposits", { currency: "NGN", amount: 100 });
    await bank.open({
      customerId,
      currency: "NGN",
      programmeId: "ngn-ng",
      status: "Terminated",
      terminatedAt: new Date(),
    });
    const { body } = await reissue({ customerId, sharedBalance: false, initialBalance: 50.5 });
    expect(body.data).toMatchObject({
      currency: "NGN",
      brand: "Verve",
      balance: 50.5,
      billingAddress: lagos, // the latest had none
    });
  });

  test("in a currency that has no programme any more: 422/121", async () => {
    const customerId = await customer();
    await bank.open({ customerId, currency: "EUR", programmeId: "gone" });
    expectRefusal(await reissue({ customerId, sharedBalance: false }), "422/121");
  });

  test("beyond the wallet's means: 422/116", async () => {
    const customerId = await customer();
    const body = { customerId, sharedBalance: false, initialBalance: 9_999_999 };
    expectRefusal(await reissue(body), "422/116");
  });

  test("with an address of its own", async () => {
    const customerId = await customer();
    await issue("retail", { customerId });
    const body = { customerId, sharedBalance: false, address: { ...accra, country: "GHA" } };
    expect((await reissue(body)).body.data.billingAddress).toEqual(accra);
  });
});

describe("fields that exclude each other are refused by name:", () => {
  test.each<[object, string[]]>([
    [{ sharedBalance: true }, ["cardId"]],
    [{ sharedBalance: true, cardId: newId("card", 0), initialBalance: 0 }, ["initialBalance"]],
    [{ sharedBalance: true, initialBalance: 5 }, ["cardId", "initialBalance"]],
    [{ sharedBalance: true, cardId: "x", initialBalance: 5 }, ["initialBalance", "cardId"]],
    [{ sharedBalance: false, cardId: newId("card", 0) }, ["cardId"]],
    [{ sharedBalance: false, cardId: newId("card", 0), initialBalance: 5 }, ["cardId"]],
    [{}, ["sharedBalance"]],
    [{ sharedBalance: "yes" }, ["sharedBalance"]],
    [{ sharedBalance: false, type: "Retail" }, ["type"]],
    [{ sharedBalance: false, currency: "USD" }, ["currency"]],
    [{ sharedBalance: false, nameOnCard: "ADA" }, ["nameOnCard"]],
  ])("%j", async (fields, wrong) => {
    const answer = await reissue({ customerId: await customer(), ...fields });
    expectRefusal(answer, "400/131");
    expect(fieldsOf(answer)).toEqual(wrong);
  });

  test("and wrong amounts with 111", async () => {
    const customerId = await customer();
    for (const change of [{ initialBalance: -1 }, { cardLimits: { dailyLimit: 0.001 } }]) {
      expectRefusal(await reissue({ customerId, sharedBalance: false, ...change }), "400/111");
    }
  });
});

test("who gets no card gets none again", async () => {
  const another = await bank.foundAnother();
  const theirs = await openCustomer(bank.pool, another.organizationId);
  for (const customerId of [newId("cus", 0), "cus_1", theirs]) {
    expectRefusal(await reissue({ customerId, sharedBalance: false }), "404/157");
  }
  const pending = await customer({ status: "Pending" });
  expectRefusal(await reissue({ customerId: pending, sharedBalance: false }), "422/115");
});

test("a negative balance keeps its customer from both", async () => {
  const customerId = await customer();
  const { cardId } = await bank.open({ customerId, balanceMinor: -1n });
  expectRefusal(await reissue({ customerId, sharedBalance: false }), "422/161");
  expectRefusal(await reissue({ customerId, sharedBalance: true, cardId }), "422/161");
});

test("one Reference makes one card", async () => {
  const customerId = await customer();
  const { cardId } = await bank.open({ customerId });
  const reference = newReference();
  const body = { customerId, sharedBalance: true, cardId };
  const answers = await Promise.all([reissue(body, reference), reissue(body, reference)]);
  expect(tally(answers)).toEqual({ "200/000": 1, "400/139": 1 });
  expect(verdict(await reissue(body, reference))).toBe("400/139");
  const { rowCount } = await bank.pool.query("select from cards where customer_id = $1", [
    customerId,
  ]);
  expect(rowCount).toBe(2);
});
