import { describe, expect, test } from "vitest";
import { newId } from "../src/foundation/ids.ts";
import { expectRefusal, fieldsOf, verdict } from "./harness/answers.ts";
import { newReference } from "./harness/api-client.ts";
import { openCard } from "./harness/cards.ts";
import { openCustomer } from "./harness/customers.ts";
import { type CardKind, issuingDesk } from "./harness/issuing-desk.ts";
import { lagos } from "./harness/kyc.ts";

const desk = issuingDesk();

describe("a wrong body is refused, naming the field:", () => {
  const pairs = (length: number) =>
    Object.fromEntries(Array.from({ length }, (_, n) => [`k${n}`, "v"]));
  const mccs = (length: number) => Array.from({ length }, (_, n) => String(n).padStart(4, "0"));

  test.each<[CardKind, object, string]>([
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
    const answer = await desk.issue(kind, { ...desk.bodyOf(kind), ...change });
    expectRefusal(answer, "400/131");
    expect(fieldsOf(answer)).toEqual([field]);
  });

  test("lite with a balance and swipes out of bounds, both of which are named", async () => {
    const answer = await desk.issue("lite", {
      ...desk.bodyOf("lite"),
      balance: 0.99,
      swipeCount: 1001,
    });
    expectRefusal(answer, "400/131");
    expect(fieldsOf(answer)).toEqual(["balance", "swipeCount"]);
  });

  test("retail with thousands of wrong pairs, none of which is looked at", async () => {
    const metadata = Object.fromEntries(Array.from({ length: 20_000 }, (_, n) => [n, 1]));
    const answer = await desk.issue("retail", { ...desk.bodyOf("retail"), metadata });
    expectRefusal(answer, "400/131");
    const message = "The body holds an object of too many members";
    expect(answer.body.errors).toEqual([{ field: "body", message }]);
  });

  test.each<[CardKind, object]>([
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
    expectRefusal(await desk.issue(kind, { ...desk.bodyOf(kind), ...change }), "400/111");
  });

  test.each<[CardKind, string, object]>([
    ["retail", "20 pairs of metadata", { metadata: pairs(20) }],
    ["retail", "500 characters that are two units each", { metadata: { k: "😀".repeat(500) } }],
    ["retail", "500 codes", { whiteListedMccs: mccs(500), blackListedMccs: mccs(500) }],
    ["lite", "the smallest balance and one swipe", { balance: 1, swipeCount: 1 }],
    ["lite", "the most swipes", { balance: 1.01, swipeCount: 1000 }],
    ["lite", "the largest balance", { balance: 10_000, swipeCount: 1 }],
  ])("but %s with %s is not", async (kind, _what, change) => {
    expect(verdict(await desk.issue(kind, { ...desk.bodyOf(kind), ...change }))).toBe("200/000");
  });

  test("and leaves nothing behind", async () => {
    const customerId = await desk.customer();
    const reference = newReference();
    await desk.issue("retail", { customerId, initialBalance: -1 }, reference);
    expect(await desk.cardsOf(customerId)).toBe(0);
    expect(verdict(await desk.issue("retail", { customerId }, reference))).toBe("200/000");
  });
});

describe("who gets no card:", () => {
  const kinds: CardKind[] = ["retail", "corporate", "lite"];

  test.each([
    ["unknown", newId("cus", 0)],
    ["too short", "cus_1"],
    ["empty", ""],
    ["very long", "x".repeat(10_000)],
    ["a card", newId("card", 0)],
  ])("a customer that is %s: 404/157", async (_what, customerId) => {
    for (const kind of kinds) {
      expectRefusal(await desk.issue(kind, { ...desk.bodyOf(kind), customerId }), "404/157");
    }
  });

  test("another organization's customer is as unknown as any", async () => {
    const another = await desk.bank.foundAnother();
    const customerId = await openCustomer(desk.bank.pool, another.organizationId);
    expectRefusal(await desk.issue("retail", { customerId }), "404/157");
    const own = await another.client.post("/cards/retail", { customerId });
    expect(verdict(own)).toBe("200/000");
    const theirs = await another.client.post("/cards/retail", { customerId: desk.ada });
    expectRefusal(theirs, "404/157");
  });

  test.each(["Initiated", "Pending", "Rejected"] as const)(
    "a customer whose verification is %s: 422/115",
    async (status) => {
      const customerId = await desk.customer({ status });
      for (const kind of kinds) {
        expectRefusal(await desk.issue(kind, { ...desk.bodyOf(kind), customerId }), "422/115");
      }
    },
  );

  test("the wrong kind of customer: 422/115", async () => {
    const retail = await desk.issue("retail", { customerId: desk.firm });
    expectRefusal(retail, "422/115");
    expect(retail.body.responseMessage).toBe(
      "A Retail card is for an Individual customer; this one is Business",
    );
    expectRefusal(await desk.issue("corporate", { customerId: desk.ada }), "422/115");
  });

  test("in a currency without a programme: 422/121", async () => {
    for (const kind of kinds) {
      expectRefusal(await desk.issue(kind, { ...desk.bodyOf(kind), currency: "EUR" }), "422/121");
    }
  });

  test("whom the wallet cannot pay for: 422/116, and nothing happens", async () => {
    const customerId = await desk.customer();
    const before = await desk.walletBalance();
    const body = { customerId, initialBalance: 9_999_999 };
    expectRefusal(await desk.issue("retail", body), "422/116");
    expect(await desk.walletBalance()).toBe(before);
    expect(await desk.cardsOf(customerId)).toBe(0);
    const { rowCount } = await desk.bank.pool.query(
      "select from events where data->>'customerId' = $1",
      [customerId],
    );
    expect(rowCount).toBe(0);
  });

  test("an organization without a wallet can issue an empty card, which opens one, and no other", async () => {
    const another = await desk.bank.foundAnother();
    const customerId = await openCustomer(desk.bank.pool, another.organizationId);
    const issueTo = (body: object) => another.client.post("/cards/retail", body);
    expectRefusal(await issueTo({ customerId, initialBalance: 1 }), "422/116");
    expect((await another.client.get("/wallets")).body.data).toEqual([]);
    expect(verdict(await issueTo({ customerId }))).toBe("200/000");
    expect((await another.client.get("/wallets")).body.data).toMatchObject([
      { currency: "USD", balance: 0 },
    ]);
  });

  test("a Reference that was used up opens no wallet", async () => {
    const another = await desk.bank.foundAnother();
    const customerId = await openCustomer(desk.bank.pool, another.organizationId);
    const reference = newReference();
    await another.client.get("/cards", { reference });
    const repeated = await another.client.post("/cards/retail", { customerId }, { reference });
    expectRefusal(repeated, "400/139");
    expect((await another.client.get("/wallets")).body.data).toEqual([]);
  });

  test("what is held on the wallet pays for no card: 422/116", async () => {
    const { client, organizationId } = await desk.bank.foundAnother();
    const deposit = { currency: "USD", amount: 5 };
    const { walletId } = (await client.post("/simulator/wallets/deposits", deposit)).body.data;
    const card = await openCard(desk.bank.pool, organizationId);
    await desk.bank.hold({ ...card, accountId: walletId }, 1n);
    const { customerId } = card;
    const issueWith = (initialBalance: number) =>
      client.post("/cards/retail", { customerId, initialBalance });
    expectRefusal(await issueWith(5), "422/116");
    expect(verdict(await issueWith(4.99))).toBe("200/000");
  });
});

describe("a negative balance keeps its customer from new cards:", () => {
  test.each(["Active", "Frozen", "Terminated"] as const)("on a card that is %s", async (status) => {
    const customerId = await desk.customer();
    const terminatedAt = status === "Terminated" ? new Date() : null;
    const card = await openCard(desk.bank.pool, desk.bank.organizationId, {
      customerId,
      status,
      terminatedAt,
      balanceMinor: -1n,
    });
    for (const kind of ["retail", "lite"] as const) {
      expectRefusal(await desk.issue(kind, { ...desk.bodyOf(kind), customerId }), "422/161");
    }
    const settled =
      status === "Terminated"
        ? await desk.bank.client.post(`/cards/${card.cardId}/regularize`, {})
        : await desk.bank.client.post(`/cards/${card.cardId}/top-up`, { amount: 0.01 });
    expect(verdict(settled)).toBe("200/000");
    expect(verdict(await desk.issue("retail", { customerId }))).toBe("200/000");
  });

  test("one of many cards is enough, and nobody else suffers", async () => {
    const [customerId, other] = [await desk.customer(), await desk.customer()];
    for (const balanceMinor of [500n, 0n, -700n, 300n]) {
      await openCard(desk.bank.pool, desk.bank.organizationId, { customerId, balanceMinor });
    }
    expectRefusal(await desk.issue("retail", { customerId }), "422/161");
    expect(verdict(await desk.issue("retail", { customerId: other }))).toBe("200/000");
  });

  test("an empty wallet is not what is wrong then", async () => {
    const customerId = await desk.customer();
    await openCard(desk.bank.pool, desk.bank.organizationId, { customerId, balanceMinor: -1n });
    const body = { customerId, initialBalance: 9_999_999 };
    expectRefusal(await desk.issue("retail", body), "422/161");
  });
});
