import { inspect } from "node:util";
import { Florin, NotFoundError, RefusedError, ValidationError } from "@florin/sdk";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTestService, type TestService } from "../../server/test/harness/service.ts";
import { adaIn } from "./harness/ada.ts";

let service: TestService;
let florin: Florin;
beforeAll(async () => {
  service = await startTestService();
  florin = new Florin(service.sandbox);
});
afterAll(() => service.stop());

test("from a person to a settled purchase", async () => {
  const customerId = await adaIn(florin);
  expect(await florin.customers.get(customerId)).toMatchObject({ status: "Approved" });
  const card = await florin.cards.issueRetail({ customerId, initialBalance: 50 });
  const topUp = await florin.cards.topUp(card.cardId, { amount: 25.5 });
  expect(topUp).toMatchObject({ type: "TopUp", amount: 25.5, cardBalance: 75.5 });
  const merchant = { mid: "SHOP1", mcc: "5411", name: "Shop", city: "Lagos", country: "US" };
  const purchase = await florin.simulator.authorize({ cardId: card.cardId, amount: 20, merchant });
  expect(purchase).toMatchObject({ approved: true, heldAmount: 20 });
  const settled = await florin.simulator.settle(purchase.transactionId);
  expect(settled).toMatchObject({ stage: "Settlement", cardBalance: 55.5 });

  const types = [];
  for await (const { type } of florin.transactions.list({ cardId: card.cardId, limit: 1 }))
    types.push(type);
  expect(types).toEqual(["Authorization", "TopUp", "InitialFunding"]);
  expect(await florin.transactions.list({ cardId: card.cardId }).toArray(2)).toHaveLength(2);
  const csv = await florin.transactions.exportCsv({ cardId: card.cardId }).text();
  expect(csv.trim().split("\n")).toHaveLength(4);
  expect(await florin.cards.freeze(card.cardId)).toMatchObject({ status: "Frozen" });
  expect(await florin.wallets.get("USD")).toMatchObject({ currency: "USD" });
});

describe("a list", () => {
  test("comes page by page, all of it", async () => {
    const customerId = await adaIn(florin);
    const issued = [];
    for (let i = 0; i < 5; i += 1)
      issued.unshift((await florin.cards.issueRetail({ customerId })).cardId);
    const query = { customerId, limit: 2 };
    const first = await florin.cards.list(query).page();
    expect(first.data.map(({ cardId }) => cardId)).toEqual(issued.slice(0, 2));
    const rest = florin.cards.list({ ...query, cursor: first.nextCursor ?? "" });
    expect((await rest.toArray()).map(({ cardId }) => cardId)).toEqual(issued.slice(2));
  });

  test("of events as a feed ends where the feed does, and leads on", async () => {
    const feed = florin.events.list({ order: "asc", limit: 3 });
    let cursor = "";
    let count = 0;
    for await (const { data, nextCursor } of feed.pages()) {
      count += data.length;
      cursor = nextCursor ?? "";
    }
    expect(count).toBeGreaterThan(3);
    await florin.simulator.deposit({ currency: "USD", amount: 12.34 });
    const more = await florin.events.list({ order: "asc", cursor }).toArray();
    expect(more).toContainEqual(expect.objectContaining({ eventType: "wallet.deposited" }));
  });
});

describe("a refusal", () => {
  test("of a rule says which", async () => {
    const { cardId } = await florin.cards.issueRetail({ customerId: await adaIn(florin) });
    const refused = await florin.cards.withdraw(cardId, { amount: 1 }).catch((error) => error);
    expect(refused).toBeInstanceOf(RefusedError);
    expect(refused).toMatchObject({
      responseCode: "116",
      httpStatus: 422,
      finality: "TerminalFailure",
      requestId: expect.stringMatching(/^req_/),
      reference: expect.any(String),
    });
  });

  test("of a form names the fields", async () => {
    const wrong = florin.cards.issueRetail({ customerId: "cus_1", nameOnCard: "" });
    const error = await wrong.catch((caught) => caught);
    expect(error).toBeInstanceOf(ValidationError);
    expect(error.errors).toContainEqual(expect.objectContaining({ field: "nameOnCard" }));
  });

  test("of an unknown card is that it is not found", async () => {
    await expect(florin.cards.get("card_00000000000000000000000000")).rejects.toThrow(
      NotFoundError,
    );
  });
});

describe("a call by method and path", () => {
  test("is typed, whether its path is a template or spelled out", async () => {
    const { cardId } = await florin.cards.issueRetail({ customerId: await adaIn(florin) });
    const card = await florin.request("GET", "/cards/{cardId}", { params: { cardId } });
    expect(card.cardId).toBe(cardId);
    expect(await florin.request("GET", `/cards/${cardId}`)).toEqual(card);
    const { envelope, httpStatus } = await florin.send("get", "/cards?limit=1");
    expect(httpStatus).toBe(200);
    expect(envelope.pagination).toMatchObject({ limit: 1 });
  });

  test("is signed as it is sent, whatever is in it", async () => {
    const name = "O'Brien & Söhne, 50% (Jr.)*! ~ + /?#";
    expect(await florin.customers.list({ name }).toArray()).toEqual([]);
    expect(await florin.requests.get("a/b?c=1&d#%2F")).toMatchObject({ state: "Unknown" });
  });
});

test("what is printed of a client has no secret in it", async () => {
  const { clientSecret, uniqueKey } = service.sandbox;
  await florin.wallets.list();
  const printed = inspect(florin, { depth: 10, showHidden: true }) + JSON.stringify(florin);
  expect(printed).not.toContain(clientSecret);
  expect(printed).not.toContain(uniqueKey);
});

test("a token that the service takes no longer is renewed", async () => {
  await florin.simulator.advanceClock({ seconds: 2 * 3600 });
  expect(await florin.wallets.list()).not.toHaveLength(0);
});
