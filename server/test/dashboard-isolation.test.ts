import { afterAll, beforeAll, expect, test } from "vitest";
import { createPool, type Pool } from "../src/db/pool.ts";
import { expectRefusal, verdict } from "./harness/answers.ts";
import { type Browser, inviteAs, type SignedIn, signUp } from "./harness/dashboard.ts";
import { bvn } from "./harness/kyc.ts";
import { startTestService, type TestService } from "./harness/service.ts";

let service: TestService;
let pool: Pool;
let ours: SignedIn;
let theirs: SignedIn;
/** Ids that belong to us; none of them may ever be told to them. */
let ourIds: Record<string, string>;

beforeAll(async () => {
  service = await startTestService();
  pool = createPool(service.databaseUrl, 2);
  const { dashboardUrl } = service.sandbox;
  ours = await signUp(dashboardUrl, "owner@ours.example", "Ours Ltd");
  theirs = await signUp(dashboardUrl, "owner@theirs.example", "Theirs Ltd");
  ourIds = await acquire(ours);
});
afterAll(async () => {
  await pool.end();
  await service.stop();
});

// biome-ignore lint/suspicious/noExplicitAny: answers are of every shape.
async function done(browser: Browser, method: string, path: string, body?: unknown): Promise<any> {
  const answer = await browser.call(method, path, body === undefined ? {} : { body });
  if (answer.status !== 200) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`);
  return answer.body.data;
}

/** One of everything. */
async function acquire(owner: SignedIn): Promise<Record<string, string>> {
  const { browser } = owner;
  const money = { currency: "USD", amount: 500 };
  const { walletId } = await done(browser, "POST", "/api/v1/simulator/wallets/deposits", money);
  const { customerId, kycToken } = await done(
    browser,
    "POST",
    "/api/v1/kyc/individual",
    bvn({ firstName: "Xanthippe" }, "our-customer"),
  );
  const card = { customerId, initialBalance: 30, nameOnCard: "XANTHIPPE OBI" };
  const { cardId, maskedPan } = await done(browser, "POST", "/api/v1/cards/retail", card);
  const purchase = { cardId, amount: 1, networkReference: "OURNETREF" };
  const { transactionId } = await done(
    browser,
    "POST",
    "/api/v1/simulator/authorizations",
    purchase,
  );
  const endpoint = { url: "http://127.0.0.1:9/", eventTypes: ["webhook_endpoint.disabled"] };
  const { webhookEndpointId } = await done(browser, "POST", "/api/v1/webhook-endpoints", endpoint);
  const { person, organization } = await browser.me();
  const [{ sessionId }] = await done(browser, "GET", "/dashboard/sessions");
  await inviteAs(owner, "Viewer", "viewer@ours.example");
  const invitation = { email: "open@ours.example", name: "Open", role: "Viewer" };
  const { invitationId } = await done(browser, "POST", "/dashboard/invitations", invitation);
  const { clientId, uniqueKey } = await done(browser, "GET", "/dashboard/credentials");
  const [{ auditId }] = await done(browser, "GET", "/dashboard/audit?limit=1");
  return {
    walletId,
    customerId,
    kycToken,
    cardId,
    maskedPan,
    transactionId,
    webhookEndpointId,
    personId: person.personId,
    organizationId: organization.organizationId,
    sessionId,
    invitationId,
    clientId,
    uniqueKey,
    auditId,
  };
}

const everything = [
  "/dashboard/me",
  "/dashboard/people",
  "/dashboard/invitations",
  "/dashboard/sessions",
  "/dashboard/audit?limit=100",
  "/dashboard/credentials",
  "/dashboard/requests?limit=100",
  "/dashboard/home?days=90",
  "/dashboard/search?q=Xanthippe",
  "/dashboard/search?q=our-customer",
  "/dashboard/search?q=OURNETREF",
  "/api/v1/cards",
  "/api/v1/customers",
  "/api/v1/transactions",
  "/api/v1/wallets",
  "/api/v1/events",
  "/api/v1/webhook-endpoints",
];

test("no list of theirs has anything of ours", async () => {
  for (const path of everything) {
    const answer = await theirs.browser.get(path);
    expect(verdict(answer), path).toBe("200/000");
    const text = JSON.stringify(answer.body);
    for (const [name, id] of Object.entries(ourIds)) {
      expect(text.includes(id), `${path} tells ${name}`).toBe(false);
    }
    expect(text).not.toContain("ours.example");
  }
});

test("none of our figures is counted as theirs", async () => {
  const { data } = (await theirs.browser.get("/dashboard/home?days=7")).body;
  expect(data).toMatchObject({
    cards: { active: 0, frozen: 0, terminated: 0, balances: [] },
    declineReasons: [],
    customers: { total: 0, pendingKyc: 0 },
  });
  expect(data.days.at(-1)).toMatchObject({ approved: 0, declined: 0 });
  const mine = (await ours.browser.get("/dashboard/home?days=7")).body.data;
  expect(mine).toMatchObject({ cards: { active: 1 }, customers: { total: 1 } });
  expect(mine.days.at(-1)).toMatchObject({ approved: 1 });
});

test("the same lists have it for us", async () => {
  // Otherwise the test before would prove nothing.
  const found = new Set<string>();
  for (const path of everything) {
    const text = JSON.stringify((await ours.browser.get(path)).body);
    for (const [name, id] of Object.entries(ourIds)) if (text.includes(id)) found.add(name);
  }
  expect([...found].toSorted()).toEqual(Object.keys(ourIds).toSorted());
});

test("nothing of ours is found by its name", async () => {
  for (const [name, id] of Object.entries(ourIds)) {
    const { body } = await theirs.browser.get(`/dashboard/search?q=${encodeURIComponent(id)}`);
    // A masked number may be somebody else's as well.
    if (name !== "maskedPan") {
      expect(body.data, name).toEqual({ cards: [], customers: [], transactions: [] });
    }
  }
  const { personId, cardId } = ourIds;
  const names = (browser: Browser) => browser.get(`/dashboard/card-names?cardIds=${cardId}`);
  expect((await names(theirs.browser)).body.data).toEqual([]);
  expect((await names(ours.browser)).body.data).toMatchObject([{ cardId }]);
  const audit = await theirs.browser.get(`/dashboard/audit?personId=${personId}`);
  expect(audit.body.data).toEqual([]);
});

test("nothing of ours can be changed by them", async () => {
  const { personId, sessionId, invitationId, cardId } = ourIds;
  const attempts: [method: string, path: string, body: unknown][] = [
    ["PATCH", `/dashboard/people/${personId}`, { role: "Viewer" }],
    ["DELETE", `/dashboard/people/${personId}`, undefined],
    ["DELETE", `/dashboard/sessions/${sessionId}`, undefined],
    ["DELETE", `/dashboard/invitations/${invitationId}`, undefined],
  ];
  for (const [method, path, body] of attempts) {
    const call = body === undefined ? {} : { body };
    expectRefusal(await theirs.browser.call(method, path, call), "404/157");
  }
  expectRefusal(await theirs.browser.post(`/api/v1/cards/${cardId}/freeze`), "404/148");
  expectRefusal(await theirs.browser.get(`/api/v1/cards/${cardId}/secure`), "404/148");
  expect(await ours.browser.me()).toMatchObject({ state: "Full", person: { role: "Owner" } });
});

test("one person's Reference is not another's", async () => {
  const reference = "shared-reference";
  for (const { browser } of [ours, theirs]) {
    const money = { currency: "USD", amount: 1 };
    const answer = await browser.post("/api/v1/simulator/wallets/deposits", money, { reference });
    expect(verdict(answer)).toBe("200/000");
  }
});

test("an invitation does not tell whether others know an address", async () => {
  const invite = (email: string) =>
    theirs.browser.post("/dashboard/invitations", { email, name: "Somebody", role: "Viewer" });
  const [known, unknown] = [await invite("owner@ours.example"), await invite("new@x.example")];
  for (const answer of [known, unknown]) expect(verdict(answer)).toBe("200/000");
  expect(Object.keys(known.body.data)).toEqual(Object.keys(unknown.body.data));
  // Of their own people they may know.
  expectRefusal(await invite("owner@theirs.example"), "422/119");
});

test("people of an organization that is disabled are shut out", async () => {
  const { organizationId } = ourIds;
  await pool.query("update organizations set status = 'Disabled' where organization_id = $1", [
    organizationId,
  ]);
  for (const path of ["/dashboard/people", "/api/v1/wallets"]) {
    expectRefusal(await ours.browser.get(path), "403/115");
  }
  expect(verdict(await theirs.browser.get("/api/v1/wallets"))).toBe("200/000");
});
