import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { isLuhnValid } from "../src/cards/pan.ts";
import { newId } from "../src/foundation/ids.ts";
import { expectEnvelope, expectRefusal, fieldsOf, TIMESTAMP, verdict } from "./harness/answers.ts";
import { type ApiAnswer, newReference } from "./harness/api-client.ts";
import { type Bank, openBank, tally } from "./harness/bank.ts";
import { openCard } from "./harness/cards.ts";
import { openCustomer } from "./harness/customers.ts";
import { accra, bvn, lagos, verifyIndividual } from "./harness/kyc.ts";

const CARD_ID = /^card_[0-7][0-9a-hjkmnp-tv-z]{25}$/;

let bank: Bank;
let ada: string;
let firm: string;
beforeAll(async () => {
  bank = await openBank();
  ada = await customer();
  firm = await customer({ type: "Business" });
});
afterAll(() => bank.stop());

const customer = (change: Parameters<typeof openCustomer>[2] = {}): Promise<string> =>
  openCustomer(bank.pool, bank.organizationId, change);

type Kind = "retail" | "corporate" | "lite";

const issue = (kind: Kind, body: object, reference = newReference()): Promise<ApiAnswer> =>
  bank.client.post(`/cards/${kind}`, body, { reference });

/** The least that a body of each kind needs. */
const bodyOf = (kind: Kind): object =>
  kind === "lite"
    ? { customerId: ada, balance: 5, swipeCount: 3 }
    : { customerId: kind === "retail" ? ada : firm };

const walletBalance = async (currency = "USD"): Promise<bigint> =>
  bank.balanceOf(await bank.walletId(currency));

const cardsOf = async (customerId: string): Promise<number> => {
  const { rows } = await bank.pool.query("select from cards where customer_id = $1", [customerId]);
  return rows.length;
};

describe("a card is issued:", () => {
  test("retail, with all that can be said about it", async () => {
    const before = await walletBalance();
    const answer = await issue("retail", {
      customerId: ada,
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
      customerId: ada,
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
    expect(await walletBalance()).toBe(before - 2550n);
    expect((await bank.client.get(`/cards/${data.cardId}`)).body.data).toEqual(data);
    await bank.expectProof();
  });

  test("with nothing but a customer, and then nothing moves", async () => {
    const before = await walletBalance();
    const { body } = await issue("retail", { customerId: ada });
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
    expect(await walletBalance()).toBe(before);
    const { rowCount } = await bank.pool.query("select from transactions where card_id = $1", [
      body.data.cardId,
    ]);
    expect(rowCount).toBe(0);
  });

  test("corporate, in the name of the business", async () => {
    const { body } = await issue("corporate", { customerId: firm, initialBalance: 1 });
    expect(body.data).toMatchObject({
      type: "Corporate",
      customerId: firm,
      nameOnCard: "OBI AND SONS LTD",
      balance: 1,
    });
    expect(body.data).not.toHaveProperty("swipeCount");
  });

  test.each([["a person", () => ada] as const, ["a business", () => firm] as const])(
    "lite, for %s",
    async (_who, customerId) => {
      const { body } = await issue("lite", {
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
      await bank.expectProof();
    },
  );

  test("in another currency, from that currency's wallet", async () => {
    const deposit = { currency: "NGN", amount: 5000 };
    await bank.client.post("/simulator/wallets/deposits", deposit);
    const { body } = await issue("retail", {
      customerId: ada,
      currency: "NGN",
      initialBalance: 4000,
    });
    expect(body.data).toMatchObject({ currency: "NGN", brand: "Verve", balance: 4000 });
    expect(body.data.maskedPan).toMatch(/^506099\*{6}\d{4}$/);
    expect(await walletBalance("NGN")).toBe(100_000n);
  });

  test("to somebody who was verified a moment ago", async () => {
    const kyc = await verifyIndividual(bank.client, bvn());
    const { status, body } = await issue("retail", { customerId: kyc.body.data.customerId });
    expect(status).toBe(200);
    expect(body.data.nameOnCard).toBe("ADA OBI");
  });

  test("in a name with accents, as it was sent", async () => {
    const { body } = await issue("retail", { customerId: ada, nameOnCard: "Jose\u0301 O'Núñez" });
    expect(body.data.nameOnCard).toBe("José O'Núñez");
  });

  test("in a name whose letters have two accents, which Unicode has no single characters for", async () => {
    const nameOnCard = "Ọlá Adépọ\u0300jù";
    const { body } = await issue("retail", { customerId: ada, nameOnCard });
    expect(body.data).toMatchObject({ nameOnCard });
  });

  test("without an address where none is known", async () => {
    const customerId = await customer({ address: null });
    expect((await issue("retail", { customerId })).body.data.billingAddress).toBeNull();
  });
});

describe("what issuing leaves behind", () => {
  test("the money's transaction and posting, and one event that is the answer", async () => {
    const reference = newReference();
    const answer = await issue("retail", { customerId: ada, initialBalance: 10 }, reference);
    const { cardId } = answer.body.data;
    const { rows } = await bank.pool.query(
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
    expect(await bank.eventsOf(cardId)).toEqual([
      { eventType: "card.issued", sequence: 1n, data: answer.body.data },
    ]);
    const known = await bank.client.get(`/requests/${reference}`);
    expect(known.body.data).toMatchObject({ state: "Succeeded", resourceId: cardId });
  });

  test("a number with the programme's BIN and a right check digit", async () => {
    const { body } = await issue("retail", { customerId: ada });
    const secure = await bank.client.get(`/cards/${body.data.cardId}/secure`);
    const { pan, cvv, maskedPan } = secure.body.data;
    expect(pan).toMatch(/^411111\d{10}$/);
    expect(isLuhnValid(pan)).toBe(true);
    expect(cvv).toMatch(/^\d{3}$/);
    expect(maskedPan).toBe(`411111******${pan.slice(-4)}`);
  });
});

describe("a wrong body is refused, naming the field:", () => {
  const pairs = (length: number) =>
    Object.fromEntries(Array.from({ length }, (_, n) => [`k${n}`, "v"]));
  const mccs = (length: number) => Array.from({ length }, (_, n) => String(n).padStart(4, "0"));

  test.each<[Kind, object, string]>([
    ["retail", { customerId: undefined }, "customerId"],
    ["retail", { customerId: 7 }, "customerId"],
    ["retail", { colour: "red" }, "colour"],
    ["retail", { swipeCount: 3 }, "swipeCount"],
    ["retail", { currency: "usd" }, "currency"],
    ["retail", { contactlessPayment: "yes" }, "contactlessPayment"],
    ["retail", { nameOnCard: "   " }, "nameOnCard"],
    ["retail", { nameOnCard: "A".repeat(27) }, "nameOnCard"],
    ["retail", { nameOnCard: "Ada <Obi>" }, "nameOnCard"],
    ["retail", { nameOnCard: "Ada\nObi" }, "nameOnCard"],
    ["retail", { nameOnCard: "\u0300Ada 1\u0300" }, "nameOnCard"],
    ["retail", { nameOnCard: "4111 1111 1111 1111" }, "nameOnCard"],
    ["retail", { nameOnCard: "4222 2222 22222" }, "nameOnCard"],
    ["retail", { cardLimits: { weeklyLimit: 1 } }, "cardLimits.weeklyLimit"],
    ["retail", { cardLimits: 5 }, "cardLimits"],
    ["retail", { whiteListedMccs: ["541"] }, "whiteListedMccs.0"],
    ["retail", { whiteListedMccs: [5411] }, "whiteListedMccs.0"],
    ["retail", { blackListedMccs: "5411" }, "blackListedMccs"],
    ["retail", { blackListedMccs: mccs(501) }, "blackListedMccs"],
    ["retail", { metadata: pairs(21) }, "metadata"],
    ["retail", { metadata: { n: 1 } }, "metadata.n"],
    ["retail", { metadata: ["v"] }, "metadata"],
    ["retail", { metadata: null }, "metadata"],
    ["retail", { metadata: { k: "v".repeat(501) } }, "metadata.k"],
    ["retail", { metadata: { k: "a\0b" } }, "metadata.k"],
    ["retail", { metadata: { ["k".repeat(41)]: "v" } }, `metadata.${"k".repeat(41)}`],
    ["retail", { address: { ...lagos, country: "Atlantis" } }, "address.country"],
    ["retail", { address: { ...lagos, street: undefined } }, "address.street"],
    ["retail", { address: { ...lagos, planet: "Earth" } }, "address.planet"],
    ["corporate", { nameOnCard: "" }, "nameOnCard"],
    ["lite", { swipeCount: undefined }, "swipeCount"],
    ["lite", { swipeCount: 0 }, "swipeCount"],
    ["lite", { swipeCount: 1001 }, "swipeCount"],
    ["lite", { swipeCount: 1.5 }, "swipeCount"],
    ["lite", { balance: undefined }, "balance"],
    ["lite", { nameOnCard: "ADA" }, "nameOnCard"],
    ["lite", { contactlessPayment: true }, "contactlessPayment"],
    ["lite", { initialBalance: 1 }, "initialBalance"],
    ["lite", { address: lagos }, "address"],
  ])("%s with %j", async (kind, change, field) => {
    const answer = await issue(kind, { ...bodyOf(kind), ...change });
    expectRefusal(answer, "400/131");
    expect(fieldsOf(answer)).toEqual([field]);
  });

  test("lite with a balance and swipes out of bounds, both of which are named", async () => {
    const answer = await issue("lite", { ...bodyOf("lite"), balance: 0.99, swipeCount: 1001 });
    expectRefusal(answer, "400/131");
    expect(fieldsOf(answer)).toEqual(["balance", "swipeCount"]);
  });

  test("retail with thousands of wrong pairs, none of which is looked at", async () => {
    const metadata = Object.fromEntries(Array.from({ length: 20_000 }, (_, n) => [n, 1]));
    const answer = await issue("retail", { ...bodyOf("retail"), metadata });
    expectRefusal(answer, "400/131");
    const message = "The body holds an object of too many members";
    expect(answer.body.errors).toEqual([{ field: "body", message }]);
  });

  test.each<[Kind, object]>([
    ["retail", { initialBalance: -1 }],
    ["retail", { initialBalance: 0.001 }],
    ["retail", { initialBalance: "1" }],
    ["retail", { initialBalance: 10_000_000.01 }],
    ["retail", { cardLimits: { dailyLimit: 0 } }],
    ["retail", { cardLimits: { transactionLimit: 1.005 } }],
    ["retail", { cardLimits: { transactionLimit: "5" } }],
    ["lite", { balance: 0 }],
    ["lite", { balance: 0.99 }],
    ["lite", { balance: 10_000.01 }],
    ["lite", { balance: 1.234 }],
    ["lite", { cardLimits: { dailyLimit: -1 } }],
    // The form of an amount comes before the question whether there are cards in its currency.
    ["retail", { initialBalance: 1.234, currency: "EUR" }],
    ["lite", { balance: 1.234, currency: "EUR" }],
  ])("%s with the amount in %j", async (kind, change) => {
    expectRefusal(await issue(kind, { ...bodyOf(kind), ...change }), "400/111");
  });

  test.each<[Kind, string, object]>([
    ["retail", "20 pairs of metadata", { metadata: pairs(20) }],
    ["retail", "500 characters that are two units each", { metadata: { k: "😀".repeat(500) } }],
    ["retail", "500 codes", { whiteListedMccs: mccs(500), blackListedMccs: mccs(500) }],
    ["lite", "the smallest balance and one swipe", { balance: 1, swipeCount: 1 }],
    ["lite", "the most swipes", { balance: 1.01, swipeCount: 1000 }],
    ["lite", "the largest balance", { balance: 10_000, swipeCount: 1 }],
  ])("but %s with %s is not", async (kind, _what, change) => {
    expect(verdict(await issue(kind, { ...bodyOf(kind), ...change }))).toBe("200/000");
  });

  test("and leaves nothing behind", async () => {
    const customerId = await customer();
    const reference = newReference();
    await issue("retail", { customerId, initialBalance: -1 }, reference);
    expect(await cardsOf(customerId)).toBe(0);
    expect(verdict(await issue("retail", { customerId }, reference))).toBe("200/000");
  });
});

describe("who gets no card:", () => {
  const kinds: Kind[] = ["retail", "corporate", "lite"];

  test.each([
    ["unknown", newId("cus", 0)],
    ["too short", "cus_1"],
    ["empty", ""],
    ["very long", "x".repeat(10_000)],
    ["a card", newId("card", 0)],
  ])("a customer that is %s: 404/157", async (_what, customerId) => {
    for (const kind of kinds) {
      expectRefusal(await issue(kind, { ...bodyOf(kind), customerId }), "404/157");
    }
  });

  test("another organization's customer is as unknown as any", async () => {
    const another = await bank.foundAnother();
    const customerId = await openCustomer(bank.pool, another.organizationId);
    expectRefusal(await issue("retail", { customerId }), "404/157");
    const own = await another.client.post("/cards/retail", { customerId });
    expect(verdict(own)).toBe("200/000");
    const theirs = await another.client.post("/cards/retail", { customerId: ada });
    expectRefusal(theirs, "404/157");
  });

  test.each(["Initiated", "Pending", "Rejected"] as const)(
    "a customer whose verification is %s: 422/115",
    async (status) => {
      const customerId = await customer({ status });
      for (const kind of kinds) {
        expectRefusal(await issue(kind, { ...bodyOf(kind), customerId }), "422/115");
      }
    },
  );

  test("the wrong kind of customer: 422/115", async () => {
    const retail = await issue("retail", { customerId: firm });
    expectRefusal(retail, "422/115");
    expect(retail.body.responseMessage).toBe(
      "A Retail card is for an Individual customer; this one is Business",
    );
    expectRefusal(await issue("corporate", { customerId: ada }), "422/115");
  });

  test("in a currency without a programme: 422/121", async () => {
    for (const kind of kinds) {
      expectRefusal(await issue(kind, { ...bodyOf(kind), currency: "EUR" }), "422/121");
    }
  });

  test("whom the wallet cannot pay for: 422/116, and nothing happens", async () => {
    const customerId = await customer();
    const before = await walletBalance();
    const body = { customerId, initialBalance: 9_999_999 };
    expectRefusal(await issue("retail", body), "422/116");
    expect(await walletBalance()).toBe(before);
    expect(await cardsOf(customerId)).toBe(0);
    const { rowCount } = await bank.pool.query(
      "select from events where data->>'customerId' = $1",
      [customerId],
    );
    expect(rowCount).toBe(0);
  });

  test("an organization without a wallet can issue an empty card, which opens one, and no other", async () => {
    const another = await bank.foundAnother();
    const customerId = await openCustomer(bank.pool, another.organizationId);
    const issueTo = (body: object) => another.client.post("/cards/retail", body);
    expectRefusal(await issueTo({ customerId, initialBalance: 1 }), "422/116");
    expect((await another.client.get("/wallets")).body.data).toEqual([]);
    expect(verdict(await issueTo({ customerId }))).toBe("200/000");
    expect((await another.client.get("/wallets")).body.data).toMatchObject([
      { currency: "USD", balance: 0 },
    ]);
  });

  test("a Reference that was used up opens no wallet", async () => {
    const another = await bank.foundAnother();
    const customerId = await openCustomer(bank.pool, another.organizationId);
    const reference = newReference();
    await another.client.get("/cards", { reference });
    const repeated = await another.client.post("/cards/retail", { customerId }, { reference });
    expectRefusal(repeated, "400/139");
    expect((await another.client.get("/wallets")).body.data).toEqual([]);
  });

  test("what is held on the wallet pays for no card: 422/116", async () => {
    const { client, organizationId } = await bank.foundAnother();
    const deposit = { currency: "USD", amount: 5 };
    const { walletId } = (await client.post("/simulator/wallets/deposits", deposit)).body.data;
    const card = await openCard(bank.pool, organizationId);
    await bank.hold({ ...card, accountId: walletId }, 1n);
    const { customerId } = card;
    const issueWith = (initialBalance: number) =>
      client.post("/cards/retail", { customerId, initialBalance });
    expectRefusal(await issueWith(5), "422/116");
    expect(verdict(await issueWith(4.99))).toBe("200/000");
  });
});

describe("a negative balance keeps its customer from new cards:", () => {
  test.each(["Active", "Frozen", "Terminated"] as const)("on a card that is %s", async (status) => {
    const customerId = await customer();
    const terminatedAt = status === "Terminated" ? new Date() : null;
    const card = await openCard(bank.pool, bank.organizationId, {
      customerId,
      status,
      terminatedAt,
      balanceMinor: -1n,
    });
    for (const kind of ["retail", "lite"] as const) {
      expectRefusal(await issue(kind, { ...bodyOf(kind), customerId }), "422/161");
    }
    const settled =
      status === "Terminated"
        ? await bank.client.post(`/cards/${card.cardId}/regularize`, {})
        : await bank.client.post(`/cards/${card.cardId}/top-up`, { amount: 0.01 });
    expect(verdict(settled)).toBe("200/000");
    expect(verdict(await issue("retail", { customerId }))).toBe("200/000");
  });

  test("one of many cards is enough, and nobody else suffers", async () => {
    const [customerId, other] = [await customer(), await customer()];
    for (const balanceMinor of [500n, 0n, -700n, 300n]) {
      await openCard(bank.pool, bank.organizationId, { customerId, balanceMinor });
    }
    expectRefusal(await issue("retail", { customerId }), "422/161");
    expect(verdict(await issue("retail", { customerId: other }))).toBe("200/000");
  });

  test("an empty wallet is not what is wrong then", async () => {
    const customerId = await customer();
    await openCard(bank.pool, bank.organizationId, { customerId, balanceMinor: -1n });
    const body = { customerId, initialBalance: 9_999_999 };
    expectRefusal(await issue("retail", body), "422/161");
  });
});

describe("at the same time", () => {
  test("two issues with one Reference make one card", async () => {
    const customerId = await customer();
    const reference = newReference();
    const body = { customerId, initialBalance: 1 };
    const answers = await Promise.all([
      issue("retail", body, reference),
      issue("retail", body, reference),
    ]);
    expect(tally(answers)).toEqual({ "200/000": 1, "400/139": 1 });
    expect(await cardsOf(customerId)).toBe(1);
    expectRefusal(await issue("retail", body, reference), "400/139");
    expect(await cardsOf(customerId)).toBe(1);
  });

  test("200 issues make 200 cards, no number twice, and move exactly their money", async () => {
    const customerId = await customer();
    const before = await walletBalance();
    const answers = await Promise.all(
      Array.from({ length: 200 }, () => issue("retail", { customerId, initialBalance: 1 })),
    );
    expect(tally(answers)).toEqual({ "200/000": 200 });
    expect(new Set(answers.map(({ body }) => body.data.cardId)).size).toBe(200);
    const { rows } = await bank.pool.query(
      `select count(distinct s.pan_hash)::int as numbers, count(distinct c.account_id)::int as accounts
         from cards c join card_secrets s using (organization_id, card_id) where c.customer_id = $1`,
      [customerId],
    );
    expect(rows).toEqual([{ numbers: 200, accounts: 200 }]);
    expect(await walletBalance()).toBe(before - 20_000n);
    await bank.expectProof();
  });

  test("the wallet is never overdrawn", async () => {
    const another = await bank.foundAnother();
    const customerId = await openCustomer(bank.pool, another.organizationId);
    const deposit = { currency: "USD", amount: 7 };
    await another.client.post("/simulator/wallets/deposits", deposit);
    const answers = await Promise.all(
      Array.from({ length: 12 }, () =>
        another.client.post("/cards/retail", { customerId, initialBalance: 1 }),
      ),
    );
    expect(tally(answers)).toEqual({ "200/000": 7, "422/116": 5 });
    await bank.expectProof();
  });
});
