import { describe, expect, test } from "vitest";
import type { Card } from "../src/cards/card.ts";
import { expectRefusal, TIMESTAMP, verdict } from "./harness/answers.ts";
import { newReference } from "./harness/api-client.ts";
import type { Bank } from "./harness/bank.ts";
import { bankByDay } from "./harness/bank-by-day.ts";
import { decideAgain } from "./harness/decide-again.ts";
import { decided, type Payments } from "./harness/payments.ts";

let bank: Bank;
let payments: Payments;
bankByDay((open) => {
  ({ bank, payments } = open);
});

describe("a purchase", () => {
  test("that is approved is a transaction that holds its amount", async () => {
    const card = await bank.open({ balanceMinor: 100_00n });
    const networkReference = `net-${newReference()}`;
    const merchant = {
      mid: "SHOP1",
      mcc: "5411",
      name: "Corner Shop",
      city: "Lagos",
      country: "US",
    };
    const { body } = await payments.buy(card.cardId, 25.5, { merchant, networkReference });
    const { decision, ...transaction } = body.data;
    expect(transaction).toEqual({
      transactionId: expect.stringMatching(/^txn_/),
      cardId: card.cardId,
      customerId: card.customerId,
      type: "Authorization",
      stage: "Authorization",
      approved: true,
      responseCode: "000",
      responseMessage: "Success",
      amount: 25.5,
      currency: "USD",
      billingAmount: 25.5,
      billingCurrency: "USD",
      heldAmount: 25.5,
      settledAmount: 0,
      reversedAmount: 0,
      refundedAmount: 0,
      overCaptured: false,
      merchant,
      entryMode: "Ecommerce",
      approvalCode: expect.stringMatching(/^[A-Z0-9]{6}$/),
      networkReference,
      events: [
        {
          requestType: "Authorization",
          amount: 25.5,
          responseCode: "000",
          at: expect.stringMatching(TIMESTAMP),
        },
      ],
      createdAt: expect.stringMatching(TIMESTAMP),
      updatedAt: expect.stringMatching(TIMESTAMP),
      cardBalance: 100,
    });
    expect(decision.model).toBe("ServiceManaged");
    expect(decision.trace.map(({ check }: { check: string }) => check)).toEqual([
      ...["card", "status", "expired", "expiry", "cvv", "entryMode", "merchant", "mcc", "currency"],
      ...["transactionLimit", "dailyLimit", "swipes", "balance"],
    ]);
    for (const step of decision.trace) {
      expect(step).toEqual({
        check: expect.any(String),
        result: expect.stringMatching(/^(Pass|Skipped)$/),
        us: expect.any(Number),
      });
    }
    expect(await bank.moneyOf(card)).toEqual({
      balance: 100,
      availableBalance: 74.5,
      heldAmount: 25.5,
    });
    const events = await bank.eventsOf(card.cardId);
    expect(events).toMatchObject([{ eventType: "transaction.authorized", sequence: 1n }]);
    expect(events[0]?.data).toEqual(transaction);
  });

  test("that is declined is on record, holds nothing and says why", async () => {
    const card = await bank.open({ balanceMinor: 10_00n });
    const answer = await payments.buy(card.cardId, 10.01);
    expect(verdict(answer)).toBe("200/000");
    const { decision, ...transaction } = answer.body.data;
    expect(transaction).toMatchObject({
      stage: "Declined",
      approved: false,
      responseCode: "116",
      responseMessage: "Insufficient funds",
      heldAmount: 0,
      approvalCode: null,
      cardBalance: 10,
    });
    expect(decision.trace.at(-1)).toMatchObject({
      check: "balance",
      result: "Fail",
      responseCode: "116",
    });
    expect(await bank.moneyOf(card)).toEqual({ balance: 10, availableBalance: 10, heldAmount: 0 });
    const events = await bank.eventsOf(card.cardId);
    expect(events).toMatchObject([{ eventType: "transaction.declined" }]);
    expect(events[0]?.data).toEqual(transaction);
  });

  test.each<[string, Partial<Card>, object, string]>([
    ["a terminated card", { status: "Terminated" }, {}, "143"],
    ["a frozen card", { status: "Frozen" }, {}, "141"],
    ["a card past its last month", { expiryMonth: 12, expiryYear: 2020 }, {}, "142"],
    ["another month of expiry", {}, { expiryMonth: 11, expiryYear: 2099 }, "124"],
    ["another year of expiry", {}, { expiryMonth: 12, expiryYear: 2034 }, "124"],
    ["a wrong month alone", {}, { expiryMonth: 11 }, "124"],
    ["the right expiry", {}, { expiryMonth: 12, expiryYear: 2099 }, "000"],
    ["a CVV where none is known", {}, { cvv: "123" }, "188"],
    ["contactless, not allowed", {}, { entryMode: "Contactless" }, "119"],
    ["a device, not allowed", {}, { entryMode: "DeviceWallet" }, "119"],
    ["contactless", { contactlessPayment: true }, { entryMode: "Contactless" }, "000"],
    ["a device", { contactlessPayment: true }, { entryMode: "DeviceWallet" }, "000"],
    ["a chip", {}, { entryMode: "Chip" }, "000"],
    ["a stripe", {}, { entryMode: "MagStripe" }, "000"],
    ["a blocked category", { blackListedMccs: ["5999"] }, {}, "127"],
    ["a category not listed", { whiteListedMccs: ["5411"] }, {}, "127"],
    [
      "a category on both lists",
      { whiteListedMccs: ["5999"], blackListedMccs: ["5999"] },
      {},
      "000",
    ],
    ["a currency without a rate", {}, { currency: "JPY" }, "121"],
    ["above the transaction limit", { transactionLimitMinor: 9_99n }, {}, "129"],
    ["at the transaction limit", { transactionLimitMinor: 10_00n }, {}, "000"],
    ["above the daily limit", { dailyLimitMinor: 9_99n }, {}, "129"],
    ["at the daily limit", { dailyLimitMinor: 10_00n }, {}, "000"],
    [
      "limits are in the card's currency",
      { transactionLimitMinor: 10_79n },
      { currency: "EUR" },
      "129",
    ],
    ["as much as there is", {}, { amount: 50 }, "000"],
    ["more than there is", {}, { amount: 50.01 }, "116"],
  ])("with %s", async (_what, change, more, expected) => {
    const { cardId } = await bank.open({ balanceMinor: 50_00n, ...change });
    const rehearsed = await payments.rehearse(cardId, 10, more);
    const bought = await payments.buy(cardId, 10, more);
    expect(decided(bought)).toBe(expected);
    expect(decided(rehearsed)).toBe(expected);
  });

  test.each(["Authorization", "PreAuthorization", "CashWithdrawal"])(
    "as %s is of that type",
    async (requestType) => {
      const { cardId } = await bank.open({ balanceMinor: 50_00n });
      const { body } = await payments.buy(cardId, 10, { requestType });
      expect(body.data).toMatchObject({ type: requestType, events: [{ requestType }] });
    },
  );

  test.each([
    ["an unknown card", { cardId: `card_${"0".repeat(26)}` }, "404/148"],
    ["a malformed card id", { cardId: "card_1" }, "400/112"],
    ["a card id of another kind", { cardId: `cus_${"0".repeat(26)}` }, "400/112"],
    ["a negative amount", { amount: -1 }, "400/111"],
    ["too many decimals", { amount: 1.001 }, "400/111"],
    [
      "too many decimals of the currency, before an unknown card,",
      { cardId: `card_${"0".repeat(26)}`, amount: 1.001, currency: "USD" },
      "400/111",
    ],
    ["too much", { amount: 10_000_000.01 }, "400/111"],
    ["text for an amount", { amount: "10" }, "400/111"],
    ["no amount", { amount: undefined }, "400/131"],
    ["no card", { cardId: undefined }, "400/131"],
    ["a currency that is none", { currency: "ABC" }, "400/131"],
    ["an unknown type", { requestType: "Settlement" }, "400/131"],
    ["an unknown entry mode", { entryMode: "Telepathy" }, "400/131"],
    ["a long merchant id", { merchant: { mid: "1234567890123456" } }, "400/131"],
    ["a short category", { merchant: { mcc: "599" } }, "400/131"],
    ["a long category", { merchant: { mcc: "59999" } }, "400/131"],
    ["a long merchant's name", { merchant: { name: "x".repeat(101) } }, "400/131"],
    ["a long city", { merchant: { city: "x".repeat(101) } }, "400/131"],
    ["a country that is none", { merchant: { country: "XX" } }, "400/131"],
    ["a short CVV", { cvv: "12" }, "400/131"],
    ["a long CVV", { cvv: "12345" }, "400/131"],
    ["month 0", { expiryMonth: 0, expiryYear: 2030 }, "400/131"],
    ["month 13", { expiryMonth: 13, expiryYear: 2030 }, "400/131"],
    ["a year before all cards", { expiryMonth: 12, expiryYear: 1999 }, "400/131"],
    ["a year beyond all cards", { expiryMonth: 12, expiryYear: 2101 }, "400/131"],
    ["a blank in the network's name", { networkReference: "a b" }, "400/131"],
    ["a long name of the network", { networkReference: "x".repeat(65) }, "400/131"],
    ["an unknown field", { pan: "1" }, "400/131"],
  ])("with %s is refused", async (_what, change, expected) => {
    const { cardId } = await bank.open({ balanceMinor: 50_00n });
    const body = { cardId, amount: 1, ...change };
    expectRefusal(await bank.client.post("/simulator/authorizations", body), expected);
    expectRefusal(await bank.client.post("/authorizations/dry-run", body), expected);
  });

  test("with fields as long as they may be is decided", async () => {
    const { cardId } = await bank.open({ balanceMinor: 50_00n });
    const long = "x".repeat(100);
    const merchant = { mid: "123456789012345", mcc: "5999", name: long, city: long };
    const networkReference = "x".repeat(64);
    const { body } = await payments.buy(cardId, 1, { merchant, networkReference });
    expect(body.data).toMatchObject({ approved: true, merchant, networkReference });
    for (const expiryYear of [2000, 2100]) {
      const expiry = { expiryMonth: 1, expiryYear, cvv: "1234" };
      expect(decided(await payments.buy(cardId, 1, expiry))).toBe("124");
    }
  });

  test("with a card of another organization is a purchase with an unknown card", async () => {
    const { cardId } = await bank.open({ balanceMinor: 50_00n });
    const { client } = await bank.foundAnother();
    const answer = await client.post("/simulator/authorizations", { cardId, amount: 1 });
    expectRefusal(answer, "404/148");
  });

  test("in another currency is billed in the card's, at the programme's rate", async () => {
    const card = await bank.open({ balanceMinor: 50_00n });
    const { body } = await payments.buy(card.cardId, 10, { currency: "EUR" });
    expect(body.data).toMatchObject({
      amount: 10,
      currency: "EUR",
      billingAmount: 10.8,
      billingCurrency: "USD",
      heldAmount: 10.8,
      events: [{ amount: 10 }],
    });
    const tiny = await payments.buy(card.cardId, 0.01, { currency: "NGN" });
    expect(tiny.body.data).toMatchObject({ amount: 0.01, billingAmount: 0.01, heldAmount: 0.01 });
    expect(await bank.moneyOf(card)).toMatchObject({ heldAmount: 10.81 });
  });
});

test("a card that is issued proves itself with its CVV and its expiry", async () => {
  const { client } = bank;
  const { customerId } = await bank.open();
  const issued = await client.post("/cards/retail", { customerId, initialBalance: 20 });
  const { cardId } = issued.body.data;
  const { cvv, expiryMonth, expiryYear } = (await client.get(`/cards/${cardId}/secure`)).body.data;
  const wrong = cvv === "000" ? "001" : "000";
  expect(decided(await payments.buy(cardId, 1, { cvv, expiryMonth, expiryYear }))).toBe("000");
  expect(decided(await payments.buy(cardId, 1, { cvv: wrong }))).toBe("188");
  expect(decided(await payments.buy(cardId, 1, { cvv: `${cvv}0` }))).toBe("188");
  expect(decided(await payments.buy(cardId, 1, { cvv: wrong, expiryYear: 2000 }))).toBe("124");
});

describe("an amount of 0 verifies the card", () => {
  test("with all checks, and holds nothing", async () => {
    const card = await bank.open({ balanceMinor: 0n });
    const { body } = await payments.buy(card.cardId, 0);
    expect(body.data).toMatchObject({ stage: "Authorization", approved: true, heldAmount: 0 });
    expect((await payments.reverse(body.data.transactionId)).body.responseCode).toBe("133");
    expect((await payments.settle(body.data.transactionId)).body.responseCode).toBe("133");
    const frozen = await bank.open({ status: "Frozen" });
    expect(decided(await payments.buy(frozen.cardId, 0))).toBe("141");
    expect(decided(await payments.buy(card.cardId, 0, { currency: "JPY" }))).toBe("121");
    const poor = await bank.open({ balanceMinor: -1n });
    expect(decided(await payments.buy(poor.cardId, 0))).toBe("116");
  });
});

describe("a dry run", () => {
  test("answers as the purchase would, and changes nothing", async () => {
    const card = await bank.open({ balanceMinor: 50_00n, dailyLimitMinor: 20_00n });
    const rehearsed = (await payments.rehearse(card.cardId, 20)).body.data;
    expect(rehearsed).toMatchObject({ stage: "Authorization", approved: true, heldAmount: 20 });
    expect(await bank.moneyOf(card)).toEqual({ balance: 50, availableBalance: 50, heldAmount: 0 });
    expect(await bank.eventsOf(card.cardId)).toEqual([]);
    const answer = await bank.client.get(`/transactions/${rehearsed.transactionId}`);
    expectRefusal(answer, "404/157");
    const bought = (await payments.buy(card.cardId, 20)).body.data;
    const ofItsOwn = { transactionId: 0, approvalCode: 0, networkReference: 0, events: 0 };
    const times = { createdAt: 0, updatedAt: 0, decision: 0 };
    expect({ ...bought, ...ofItsOwn, ...times }).toEqual({ ...rehearsed, ...ofItsOwn, ...times });
    expect((await payments.rehearse(card.cardId, 1)).body.data).toMatchObject({
      stage: "Declined",
      responseCode: "129",
    });
  });

  test("uses no swipe and closes no lite card", async () => {
    const card = await bank.open({ type: "Lite", swipeCount: 1, balanceMinor: 50_00n });
    expect(decided(await payments.rehearse(card.cardId, 50))).toBe("000");
    expect((await bank.client.get(`/cards/${card.cardId}`)).body.data).toMatchObject({
      status: "Active",
      swipesUsed: 0,
    });
    expect(decided(await payments.buy(card.cardId, 50))).toBe("000");
  });

  test("uses its Reference up like any other call", async () => {
    const { cardId } = await bank.open({ balanceMinor: 50_00n });
    const reference = newReference();
    const body = { cardId, amount: 1 };
    const answers = [
      await bank.client.post("/authorizations/dry-run", body, { reference }),
      await bank.client.post("/authorizations/dry-run", body, { reference }),
    ];
    expect(answers.map(verdict)).toEqual(["200/000", "400/139"]);
  });
});

test("what was decided can be decided again from what was stored", async () => {
  expect(await decideAgain(bank.pool)).toBeGreaterThan(40);
});

test("the books hold after all of this", () => bank.expectProof());
