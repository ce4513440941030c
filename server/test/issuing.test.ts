import { describe, expect, test } from "vitest";
import { isLuhnValid } from "../src/cards/pan.ts";
import { expectEnvelope, expectRefusal, TIMESTAMP } from "./harness/answers.ts";
import { newReference } from "./harness/api-client.ts";
import { tally } from "./harness/bank.ts";
import { openCustomer } from "./harness/customers.ts";
import { issuingDesk } from "./harness/issuing-desk.ts";
import { accra, bvn, lagos, verifyIndividual } from "./harness/kyc.ts";

const CARD_ID = /^card_[0-7][0-9a-hjkmnp-tv-z]{25}$/;

const desk = issuingDesk();

describe("a card is issued:", () => {
  test("retail, with all that can be said about it", async () => {
    const before = await desk.walletBalance();
    const answer = await desk.issue("retail", {
      customerId: desk.ada,
      currency: "USD",
      initialBalance: 25.5,
      nameOnCard: "  A. Obi-Okafor & Co/2 ",
      contactlessPayment: true,
      cardLimits: { dailyLimit: 100, transactionLimit: 20.05 },
      whiteListedMccs: ["5411", "5812", "5411"],
      blackListedMccs: ["7995"],
      address: { ...accra, country: "Ghana", postalCode: "GA-1" },
      metadata: { team: "travel", empty: "" },
    });
    expectEnvelope(answer);
    const { data } = answer.body;
    expect(data).toEqual({
      cardId: expect.stringMatching(CARD_ID),
      customerId: desk.ada,
      type: "Retail",
      status: "Active",
      currency: "USD",
      brand: "Visa",
      maskedPan: expect.stringMatching(/^411111\*{6}\d{4}$/),
      expiryMonth: new Date().getUTCMonth() + 1,
      expiryYear: new Date().getUTCFullYear() + 3,
      nameOnCard: "A. Obi-Okafor & Co/2",
      balance: 25.5,
      availableBalance: 25.5,
      heldAmount: 0,
      contactlessPayment: true,
      cardLimits: { dailyLimit: 100, transactionLimit: 20.05 },
      whiteListedMccs: ["5411", "5812"],
      blackListedMccs: ["7995"],
      merchantWhitelist: [],
      merchantBlacklist: [],
      billingAddress: { ...accra, postalCode: "GA-1" },
      sharedBalance: false,
      metadata: { team: "travel", empty: "" },
      createdAt: expect.stringMatching(TIMESTAMP),
    });
    expect(await desk.walletBalance()).toBe(before - 2550n);
    expect((await desk.bank.client.get(`/cards/${data.cardId}`)).body.data).toEqual(data);
    await desk.bank.expectProof();
  });

  test("with nothing but a customer, and then nothing moves", async () => {
    const before = await desk.walletBalance();
    const { body } = await desk.issue("retail", { customerId: desk.ada });
    expect(body.data).toMatchObject({
      type: "Retail",
      currency: "USD",
      nameOnCard: "ADA OBI",
      balance: 0,
      availableBalance: 0,
      contactlessPayment: false,
      cardLimits: {},
      whiteListedMccs: [],
      blackListedMccs: [],
      billingAddress: lagos,
      metadata: {},
    });
    expect(await desk.walletBalance()).toBe(before);
    const { rowCount } = await desk.bank.pool.query("select from transactions where card_id = $1", [
      body.data.cardId,
    ]);
    expect(rowCount).toBe(0);
  });

  test("corporate, in the name of the business", async () => {
    const { body } = await desk.issue("corporate", { customerId: desk.firm, initialBalance: 1 });
    expect(body.data).toMatchObject({
      type: "Corporate",
      customerId: desk.firm,
      nameOnCard: "OBI AND SONS LTD",
      balance: 1,
    });
    expect(body.data).not.toHaveProperty("swipeCount");
  });

  test.each([["a person", () => desk.ada] as const, ["a business", () => desk.firm] as const])(
    "lite, for %s",
    async (_who, customerId) => {
      const { body } = await desk.issue("lite", {
        customerId: customerId(),
        balance: 12.34,
        swipeCount: 7,
        cardLimits: { transactionLimit: 5 },
        whiteListedMccs: ["4111"],
        blackListedMccs: ["7995"],
        metadata: { trip: "1" },
      });
      expect(body.data).toMatchObject({
        type: "Lite",
        customerId: customerId(),
        balance: 12.34,
        availableBalance: 12.34,
        swipeCount: 7,
        swipesUsed: 0,
        contactlessPayment: false,
        cardLimits: { transactionLimit: 5 },
        whiteListedMccs: ["4111"],
        blackListedMccs: ["7995"],
        metadata: { trip: "1" },
        billingAddress: lagos,
      });
      await desk.bank.expectProof();
    },
  );

  test("in another currency, from that currency's wallet", async () => {
    const deposit = { currency: "NGN", amount: 5000 };
    await desk.bank.client.post("/simulator/wallets/deposits", deposit);
    const { body } = await desk.issue("retail", {
      customerId: desk.ada,
      currency: "NGN",
      initialBalance: 4000,
    });
    expect(body.data).toMatchObject({ currency: "NGN", brand: "Verve", balance: 4000 });
    expect(body.data.maskedPan).toMatch(/^506099\*{6}\d{4}$/);
    expect(await desk.walletBalance("NGN")).toBe(100_000n);
  });

  test("to somebody who was verified a moment ago", async () => {
    const kyc = await verifyIndividual(desk.bank.client, bvn());
    const { status, body } = await desk.issue("retail", { customerId: kyc.body.data.customerId });
    expect(status).toBe(200);
    expect(body.data.nameOnCard).toBe("ADA OBI");
  });

  test("in a name with accents, as it was sent", async () => {
    const { body } = await desk.issue("retail", {
      customerId: desk.ada,
      nameOnCard: "Jose\u0301 O'Núñez",
    });
    expect(body.data.nameOnCard).toBe("José O'Núñez");
  });

  test("in a name whose letters have two accents, which Unicode has no single characters for", async () => {
    const nameOnCard = "Ọlá Adépọ\u0300jù";
    const { body } = await desk.issue("retail", { customerId: desk.ada, nameOnCard });
    expect(body.data).toMatchObject({ nameOnCard });
  });

  test("without an address where none is known", async () => {
    const customerId = await desk.customer({ address: null });
    expect((await desk.issue("retail", { customerId })).body.data.billingAddress).toBeNull();
  });
});

describe("what issuing leaves behind", () => {
  test("the money's transaction and posting, and one event that is the answer", async () => {
    const reference = newReference();
    const answer = await desk.issue(
      "retail",
      { customerId: desk.ada, initialBalance: 10 },
      reference,
    );
    const { cardId } = answer.body.data;
    const { rows } = await desk.bank.pool.query(
      `select t.type, t.stage, t.amount_minor, p.kind, p.amount_minor as posted, p.reference, p.credit_balance_minor
         from transactions t join postings p using (organization_id, transaction_id) where t.card_id = $1`,
      [cardId],
    );
    expect(rows).toEqual([
      {
        type: "InitialFunding",
        stage: "Completed",
        amount_minor: 1000n,
        kind: "InitialFunding",
        posted: 1000n,
        reference,
        credit_balance_minor: 1000n,
      },
    ]);
    expect(await desk.bank.eventsOf(cardId)).toEqual([
      { eventType: "card.issued", sequence: 1n, data: answer.body.data },
    ]);
    const known = await desk.bank.client.get(`/requests/${reference}`);
    expect(known.body.data).toMatchObject({ state: "Succeeded", resourceId: cardId });
  });

  test("a number with the programme's BIN and a right check digit", async () => {
    const { body } = await desk.issue("retail", { customerId: desk.ada });
    const secure = await desk.bank.client.get(`/cards/${body.data.cardId}/secure`);
    const { pan, cvv, maskedPan } = secure.body.data;
    expect(pan).toMatch(/^411111\d{10}$/);
    expect(isLuhnValid(pan)).toBe(true);
    expect(cvv).toMatch(/^\d{3}$/);
    expect(maskedPan).toBe(`411111******${pan.slice(-4)}`);
  });
});

describe("at the same time", () => {
  test("two issues with one Reference make one card", async () => {
    const customerId = await desk.customer();
    const reference = newReference();
    const body = { customerId, initialBalance: 1 };
    const answers = await Promise.all([
      desk.issue("retail", body, reference),
      desk.issue("retail", body, reference),
    ]);
    expect(tally(answers)).toEqual({ "200/000": 1, "400/139": 1 });
    expect(await desk.cardsOf(customerId)).toBe(1);
    expectRefusal(await desk.issue("retail", body, reference), "400/139");
    expect(await desk.cardsOf(customerId)).toBe(1);
  });

  test("200 issues make 200 cards, no number twice, and move exactly their money", async () => {
    const customerId = await desk.customer();
    const before = await desk.walletBalance();
    const answers = await Promise.all(
      Array.from({ length: 200 }, () => desk.issue("retail", { customerId, initialBalance: 1 })),
    );
    expect(tally(answers)).toEqual({ "200/000": 200 });
    expect(new Set(answers.map(({ body }) => body.data.cardId)).size).toBe(200);
    const { rows } = await desk.bank.pool.query(
      `select count(distinct s.pan_hash)::int as numbers, count(distinct c.account_id)::int as accounts
         from cards c join card_secrets s using (organization_id, card_id) where c.customer_id = $1`,
      [customerId],
    );
    expect(rows).toEqual([{ numbers: 200, accounts: 200 }]);
    expect(await desk.walletBalance()).toBe(before - 20_000n);
    await desk.bank.expectProof();
  });

  test("the wallet is never overdrawn", async () => {
    const another = await desk.bank.foundAnother();
    const customerId = await openCustomer(desk.bank.pool, another.organizationId);
    const deposit = { currency: "USD", amount: 7 };
    await another.client.post("/simulator/wallets/deposits", deposit);
    const answers = await Promise.all(
      Array.from({ length: 12 }, () =>
        another.client.post("/cards/retail", { customerId, initialBalance: 1 }),
      ),
    );
    expect(tally(answers)).toEqual({ "200/000": 7, "422/116": 5 });
    await desk.bank.expectProof();
  });
});
