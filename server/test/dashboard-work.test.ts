import { afterAll, beforeAll, expect, test } from "vitest";
import { createPool, type Pool } from "../src/db/pool.ts";
import { newId } from "../src/foundation/ids.ts";
import { expectRefusal } from "./harness/answers.ts";
import { ApiClient, newReference } from "./harness/api-client.ts";
import { openCard } from "./harness/cards.ts";
import { Browser, signUp } from "./harness/dashboard.ts";
import { approve, Decider } from "./harness/decider.ts";
import { until } from "./harness/eventually.ts";
import { bvn, passport } from "./harness/kyc.ts";
import { startTestService, type TestService } from "./harness/service.ts";

let service: TestService;
let pool: Pool;
let browser: Browser;
let organizationId: string;
beforeAll(async () => {
  service = await startTestService({ FLORIN_SANDBOX_KYC_DELAY_MS: "3600000" });
  pool = createPool(service.databaseUrl, 2);
  ({ browser } = await signUp(service.sandbox.dashboardUrl, "work@people.example", "Work Ltd"));
  organizationId = (await browser.me()).organization.organizationId;
  await done("/simulator/wallets/deposits", { currency: "USD", amount: 1_000 });
});
afterAll(async () => {
  await pool.end();
  await service.stop();
});

// biome-ignore lint/suspicious/noExplicitAny: answers are of every shape.
async function done(path: string, body: unknown): Promise<any> {
  const answer = await browser.post(`/api/v1${path}`, body);
  if (answer.status !== 200) throw new Error(`${path}: ${JSON.stringify(answer.body)}`);
  return answer.body.data;
}

async function newCard(change = {}): Promise<{ cardId: string; maskedPan: string }> {
  const { customerId } = await done("/kyc/individual", bvn());
  return done("/cards/retail", { customerId, initialBalance: 50, ...change });
}

test("a path that cannot be decoded is refused as by the API, to whoever is signed in", async () => {
  const stranger = await Browser.open(service.sandbox.dashboardUrl);
  const refusals = { "/nowhere/%zz": "404/157", "/cards/%ff": "400/112", "/%zz": "404/157" };
  for (const [path, refusal] of Object.entries(refusals)) {
    expectRefusal(await stranger.get(`/api/v1${path}`), "401/146");
    expectRefusal(await browser.get(`/api/v1${path}`), refusal);
  }
});

const home = async (days = 7) => (await browser.get(`/dashboard/home?days=${days}`)).body.data;

test("the first page shows what happened", async () => {
  const first = await newCard();
  const second = await newCard();
  await done("/kyc/individual", passport());
  await done("/simulator/authorizations", { cardId: first.cardId, amount: 12.34 });
  await done("/simulator/authorizations", { cardId: first.cardId, amount: 7.66 });
  const declined = { cardId: first.cardId, amount: 900 };
  expect(await done("/simulator/authorizations", declined)).toMatchObject({ approved: false });
  await done(`/cards/${second.cardId}/freeze`, undefined);
  await done("/simulator/authorizations", { cardId: second.cardId, amount: 1 });
  const today = new Date().toISOString().slice(0, 10);
  await until("the figures are there", async () => (await home()).customers.pendingKyc === 1);
  const figures = await home();
  expect(figures).toMatchObject({
    wallets: [{ currency: "USD", balance: 900 }],
    cards: {
      active: 1,
      frozen: 1,
      terminated: 0,
      balances: [{ currency: "USD", balance: 100 }],
    },
    declineReasons: [
      { responseCode: "116", message: "Insufficient funds", count: 1 },
      { responseCode: "141", message: "Restricted card", count: 1 },
    ],
    managed: null,
    customers: { total: 3, pendingKyc: 1 },
  });
  expect(figures.days).toHaveLength(7);
  expect(figures.days.at(-1)).toEqual({
    date: today,
    approved: 2,
    declined: 2,
    approvedAmount: [{ currency: "USD", amount: 20 }],
  });
  expect(figures.days[0]).toMatchObject({ approved: 0, declined: 0, approvedAmount: [] });
  expect((await home(90)).days).toHaveLength(90);
  expectRefusal(await browser.get("/dashboard/home?days=8"), "400/131");
});

test("it shows how asking the organization itself goes", async () => {
  const serviceManaged = { model: "ServiceManaged" };
  const decider = await Decider.start();
  try {
    const body = {
      model: "CustomerManaged",
      authorizationUrl: decider.url,
      defaultAuthorizationDecision: "AutoDecline",
    };
    await browser.call("PUT", "/api/v1/settings/card-authorization", { body });
    const { cardId } = await newCard();
    const counted = async (asked: number) => {
      await done("/simulator/authorizations", { cardId, amount: 3 });
      await until("it is counted", async () => (await home()).managed?.asked === asked);
      return (await home()).managed;
    };
    decider.answer = () => undefined;
    const unanswered = { asked: 1, inTime: 0, timedOut: 1, p50Ms: null, p99Ms: null };
    expect(await counted(1)).toEqual(unanswered);
    // What never came is no answer that took as long.
    decider.answer = approve;
    const managed = await counted(2);
    expect(managed).toEqual({
      asked: 2,
      inTime: 1,
      timedOut: 1,
      p50Ms: expect.any(Number),
      p99Ms: managed.p50Ms,
    });
    // And what was asked was asked, whoever decides now.
    await browser.call("PUT", "/api/v1/settings/card-authorization", { body: serviceManaged });
    const { active } = (await home()).cards;
    await newCard();
    await until("the new card is counted", async () => (await home()).cards.active === active + 1);
    expect((await home()).managed).toEqual(managed);
    const { dashboardUrl } = service.sandbox;
    const { browser: theirs } = await signUp(dashboardUrl, "work@others.example", "Others Ltd");
    await theirs.call("PUT", "/api/v1/settings/card-authorization", { body });
    const other = (await theirs.get("/dashboard/home?days=7")).body.data;
    expect(other.managed).toBeNull();
  } finally {
    await browser.call("PUT", "/api/v1/settings/card-authorization", { body: serviceManaged });
    decider.stop();
  }
});

const search = async (q: string) =>
  (await browser.get(`/dashboard/search?q=${encodeURIComponent(q)}`)).body.data;

test("cards, customers and transactions are found by what people know of them", async () => {
  const verified = await done("/kyc/individual", bvn({ firstName: "Zuleika" }, "crm-4711"));
  const { customerId, kycToken } = verified;
  const card = await done("/cards/retail", {
    customerId,
    initialBalance: 20,
    nameOnCard: "ZULEIKA TESTS",
  });
  const { cardId, maskedPan } = card;
  const networkReference = "NETREF0001";
  const bought = await done("/simulator/authorizations", { cardId, amount: 2, networkReference });
  const reference = "my-own-reference";
  const answer = await browser.post(`/api/v1/cards/${cardId}/top-up`, { amount: 1 }, { reference });
  const { transactionId } = answer.body.data;

  const idsOf = (found: { cards: { cardId: string }[] }) => found.cards.map((each) => each.cardId);
  for (const text of [cardId, maskedPan, maskedPan.slice(-4), "zuleika", "Tests", "crm-4711"]) {
    const found = await search(text);
    if (text !== "Tests") expect(idsOf(found), text).toContain(cardId);
  }
  expect((await search("zuleika")).customers).toEqual([
    {
      customerId,
      type: "Individual",
      name: "Zuleika Obi",
      status: "Approved",
      clientReference: "crm-4711",
    },
  ]);
  expect((await search("crm-4711")).customers).toHaveLength(1);
  expect((await search(customerId)).customers).toHaveLength(1);
  expect((await search(kycToken)).customers).toMatchObject([{ customerId }]);
  expect(idsOf(await search(kycToken))).toEqual([cardId]);
  // Another organization's is not.
  const theirs = await service.client.post("/kyc/individual", bvn());
  expect((await search(theirs.body.data.kycToken)).customers).toEqual([]);
  expect((await search(networkReference)).transactions).toMatchObject([
    { transactionId: bought.transactionId, cardId, approved: true, amount: 2, currency: "USD" },
  ]);
  expect((await search(bought.transactionId)).transactions).toHaveLength(1);
  expect((await search(reference)).transactions).toMatchObject([{ transactionId }]);
  // A client's Reference is found like a person's.
  const { data: credentials } = (await browser.get("/dashboard/credentials")).body;
  const { clientSecret } = (await browser.post("/dashboard/credentials/reveal")).body.data;
  const client = new ApiClient({ ...service.sandbox, ...credentials, clientSecret });
  const sent = newReference();
  const toppedUp = await client.post(`/cards/${cardId}/top-up`, { amount: 1 }, { reference: sent });
  expect((await search(sent)).transactions).toMatchObject([
    { transactionId: toppedUp.body.data.transactionId },
  ]);
  expect(await search("nothing of the kind")).toEqual({
    cards: [],
    customers: [],
    transactions: [],
  });
  expectRefusal(await browser.get("/dashboard/search"), "400/131");
  expectRefusal(await browser.get(`/dashboard/search?q=${"x".repeat(101)}`), "400/131");
});

test("at most eight of a kind are shown, the newest", async () => {
  const cards = [];
  for (let i = 0; i < 10; i++) {
    cards.push(await openCard(pool, organizationId, { maskedPan: "499999******7777" }));
  }
  const found = await search("499999******7777");
  expect(found.cards.map(({ cardId }: { cardId: string }) => cardId)).toEqual(
    cards
      .map(({ cardId }) => cardId)
      .toSorted()
      .toReversed()
      .slice(0, 8),
  );
  // The beginning of the number counts, if it is given.
  expect((await search("411111******7777")).cards).toEqual([]);
  // Of a whole number, only what may be shown is looked at.
  expect((await search("4999991234567777")).cards).toHaveLength(8);
});

test("cards are named by the digits that may be shown, many at once", async () => {
  const cards = [await newCard(), await newCard()];
  const ids = cards.map(({ cardId }) => cardId);
  const named = (cardIds: readonly string[]) =>
    browser.get(`/dashboard/card-names?cardIds=${cardIds.join(",")}`);
  const { body } = await named([...ids, newId("card", Date.now())]);
  const byId = (one: { cardId: string }, other: { cardId: string }) =>
    one.cardId < other.cardId ? -1 : 1;
  expect(body.data.toSorted(byId)).toEqual(
    cards.map(({ cardId, maskedPan }) => ({ cardId, maskedPan })).toSorted(byId),
  );
  const page = Array.from({ length: 100 }, () => newId("card", Date.now()));
  expect((await named(page)).body.data).toEqual([]);
  for (const wrong of [[], ["card_1"], [...ids, ""], [...page, ...ids]]) {
    expectRefusal(await named(wrong), "400/131");
  }
  expectRefusal(await browser.get("/dashboard/card-names"), "400/131");
});

/** Reads a stream of events until it has what it wants. */
async function listen(
  headers: Record<string, string>,
  isEnough: (text: string) => boolean,
  meanwhile: () => Promise<void> = async () => undefined,
): Promise<string> {
  const answer = await browser.fetch("GET", "/dashboard/live", { headers });
  expect(answer.headers.get("content-type")).toMatch(/^text\/event-stream/);
  const reader = answer.body?.getReader();
  let text = "";
  let begun = false;
  while (reader !== undefined && !isEnough(text)) {
    const { done: isOver, value } = await reader.read();
    if (isOver) break;
    text += new TextDecoder().decode(value);
    if (!begun) {
      begun = true;
      await meanwhile();
    }
  }
  await reader?.cancel();
  return text;
}

test("what happens is told at once, to the organization it happens to", async () => {
  const { cardId } = await newCard();
  const text = await listen(
    {},
    (seen) => seen.includes("event: transaction.authorized"),
    async () => {
      await service.client.post("/simulator/wallets/deposits", { currency: "USD", amount: 1 });
      await done("/simulator/authorizations", { cardId, amount: 1 });
    },
  );
  const [, id, data] = /id: (\d+)\nevent: transaction\.authorized\ndata: (.*)\n\n/.exec(text) ?? [];
  expect(JSON.parse(data ?? "")).toEqual({
    eventId: expect.stringMatching(/^evt_/),
    type: "transaction.authorized",
    cardId,
    transactionId: expect.stringMatching(/^txn_/),
    at: expect.any(String),
  });
  // The other organization's deposit is not ours to hear of.
  expect(text).not.toContain("wallet.deposited");

  // Whoever comes back hears what was missed.
  await done(`/cards/${cardId}/freeze`, undefined);
  const missed = await listen({ "last-event-id": id ?? "" }, (seen) =>
    seen.includes("card.frozen"),
  );
  expect(missed).not.toContain("transaction.authorized");
});

test("a stop does not wait for those who listen", async () => {
  const other = await startTestService();
  const { browser: listener } = await signUp(other.sandbox.dashboardUrl, "stop@people.example");
  const answer = await listener.fetch("GET", "/dashboard/live");
  const text = answer.text();
  await other.stop();
  // What is only cut off, when a stop has waited long enough, has no end and is an error to its reader.
  expect(await text).toContain(": listening");
});
