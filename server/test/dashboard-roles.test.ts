import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { OpenApiDocument } from "../src/docs/site/document.ts";
import { expectRefusal, readJson, verdict } from "./harness/answers.ts";
import { operationsOf } from "./harness/api-slots.ts";
import { inviteAs, logInOwner, type SignedIn } from "./harness/dashboard.ts";
import { bvn } from "./harness/kyc.ts";
import { startTestService, type TestService } from "./harness/service.ts";

const roles = ["Owner", "Developer", "Finance", "Support", "Viewer"] as const;
type Role = (typeof roles)[number];

const all: readonly Role[] = roles;
const developers: readonly Role[] = ["Owner", "Developer"];
const finance: readonly Role[] = ["Owner", "Finance"];
const support: readonly Role[] = ["Owner", "Support"];
const issuers: readonly Role[] = ["Owner", "Finance", "Support"];
const owners: readonly Role[] = ["Owner"];

/** Who may use which route of the API; reading is for everybody. */
const writers: Record<string, readonly Role[]> = {
  "POST /kyc/individual": support,
  "POST /kyc/business": support,
  "POST /cards/retail": issuers,
  "POST /cards/corporate": issuers,
  "POST /cards/lite": finance,
  "POST /cards/reissue": issuers,
  "GET /cards/{cardId}/secure": support,
  "PATCH /cards/{cardId}": support,
  "POST /cards/{cardId}/freeze": support,
  "POST /cards/{cardId}/unfreeze": support,
  "POST /cards/{cardId}/terminate": support,
  "POST /cards/{cardId}/top-up": finance,
  "POST /cards/{cardId}/withdraw": finance,
  "POST /cards/transfers": finance,
  "POST /cards/{cardId}/cross-border-charges/reprocess": finance,
  "POST /cards/{cardId}/regularize": finance,
  "POST /cards/{cardId}/merchants/blacklist": support,
  "POST /cards/{cardId}/merchants/blacklist/remove": support,
  "POST /cards/{cardId}/merchants/whitelist": support,
  "POST /cards/{cardId}/merchants/whitelist/remove": support,
  "POST /cards/{cardId}/merchants/one-time-unblock": support,
  "PUT /settings/card-authorization": developers,
  "POST /webhook-endpoints": developers,
  "PATCH /webhook-endpoints/{webhookEndpointId}": developers,
  "DELETE /webhook-endpoints/{webhookEndpointId}": developers,
  "POST /webhook-endpoints/{webhookEndpointId}/rotate-secret": developers,
  "POST /webhook-endpoints/{webhookEndpointId}/test": developers,
  "POST /webhook-endpoints/{webhookEndpointId}/recover": developers,
  "POST /events/{eventId}/resend": developers,
  "POST /authorizations/dry-run": all,
  "POST /simulator/authorizations": developers,
  "POST /simulator/transactions/{transactionId}/settle": developers,
  "POST /simulator/transactions/{transactionId}/reverse": developers,
  "POST /simulator/transactions/{transactionId}/refund": developers,
  "POST /simulator/settlements": developers,
  "POST /simulator/refunds": developers,
  "POST /simulator/kyc/{kycToken}": developers,
  "POST /simulator/wallets/deposits": developers,
  "POST /simulator/clock/advance": developers,
  "POST /simulator/faults": developers,
};

/** The dashboard's own routes that a signed-in person may use or not. */
const ownRoutes: Record<string, readonly Role[]> = {
  "GET /sessions": all,
  "DELETE /sessions/ses_": all,
  "GET /people": all,
  "PATCH /people/per_": owners,
  "DELETE /people/per_": owners,
  "GET /invitations": owners,
  "POST /invitations": owners,
  "DELETE /invitations/lnk_": owners,
  "GET /audit": owners,
  "GET /credentials": developers,
  "POST /credentials/reveal": developers,
  "POST /credentials/rotate": developers,
  "POST /credentials/signing-secret/rotate": developers,
  "PUT /credentials/scopes": developers,
  "POST /authorization-test": developers,
  "GET /requests": developers,
  "GET /webhook-endpoints/whe_/deliveries": all,
  "GET /home": all,
  "GET /search?q=ada": all,
  "GET /card-names": all,
  "GET /clock": all,
  "POST /password": all,
  "GET /second-factor": all,
  "POST /recovery-codes": all,
  "POST /totp/replacement": all,
  "POST /totp/replacement/confirmation": all,
};

let service: TestService;
let people: Record<Role, SignedIn>;
let routes: string[];
beforeAll(async () => {
  service = await startTestService();
  const owner = await logInOwner(service.sandbox);
  const others = await Promise.all(
    roles.slice(1).map((role) => inviteAs(owner, role, `${role.toLowerCase()}@roles.example`)),
  );
  people = Object.fromEntries(
    [owner, ...others].map((person, index) => [roles[index], person]),
  ) as Record<Role, SignedIn>;
  const document = await readJson(`${service.sandbox.apiUrl}/openapi.json`);
  routes = operationsOf(document as OpenApiDocument).map(({ route }) => route);
});
afterAll(() => service.stop());

/** Sends what no handler takes, so that nothing comes of it but the judgement of the role. */
async function judged(role: Role, route: string, prefix: string, headers = {}): Promise<string> {
  const [method = "", path = ""] = route.split(" ");
  const body = method === "GET" || method === "DELETE" ? {} : { body: { nonsense: true } };
  const target = prefix + path.replace(/\{\w+\}/g, "nothing");
  return verdict(await people[role].browser.call(method, target, { ...body, headers }));
}

describe.each(roles)("%s", (role) => {
  test("may use those routes of the API that the role is for", async () => {
    const wrong: string[] = [];
    for (const route of routes) {
      const isRead = route.startsWith("GET ") && !(route in writers);
      const may = isRead || (writers[route]?.includes(role) ?? false);
      const answer = await judged(role, route, "/api/v1");
      const isRight = may ? !/^(401|403)/.test(answer) : answer === "403/149";
      if (!isRight) wrong.push(`${route}: ${answer}`);
    }
    expect(wrong).toEqual([]);
  });

  test("may use those of the dashboard's own", async () => {
    const wrong: string[] = [];
    for (const [route, allowed] of Object.entries(ownRoutes)) {
      // These take no body, so that they would do what they are for.
      if (allowed.includes(role) && /reveal|authorization-test/.test(route)) continue;
      const answer = await judged(role, route, "/dashboard");
      const isRight = allowed.includes(role) ? !/^(401|403)/.test(answer) : answer === "403/149";
      if (!isRight) wrong.push(`${route}: ${answer}`);
    }
    expect(wrong).toEqual([]);
  });

  test("may take files away only with the permission for it", async () => {
    const csv = { accept: "text/csv" };
    const isAllowed = finance.includes(role);
    const answer = await people[role].browser.get("/api/v1/transactions", { headers: csv });
    expect(answer.status).toBe(isAllowed ? 200 : 403);
  });

  test("is told what it may do", async () => {
    const { person, permissions } = await people[role].browser.me();
    expect(person.role).toBe(role);
    expect(permissions.includes("people")).toBe(role === "Owner");
    expect(permissions.includes("cards.money")).toBe(finance.includes(role));
  });
});

test("every write of the API is in the table above", () => {
  const writes = routes.filter((route) => !route.startsWith("GET "));
  expect(writes.filter((route) => !(route in writers))).toEqual([]);
  expect(Object.keys(writers).filter((route) => !routes.includes(route))).toEqual([]);
});

test("who may issue cards but not move money issues them empty", async () => {
  const { body: kyc } = await people.Support.browser.post("/api/v1/kyc/individual", bvn());
  const { customerId } = kyc.data;
  const issue = (role: Role, path: string, body: object) =>
    people[role].browser.post(`/api/v1/cards/${path}`, { customerId, ...body });
  expectRefusal(await issue("Support", "retail", { initialBalance: 0.01 }), "403/149");
  const reissue = { sharedBalance: false, initialBalance: 10 };
  expectRefusal(await issue("Support", "reissue", reissue), "403/149");
  expectRefusal(await issue("Support", "lite", { balance: 5, swipeCount: 1 }), "403/149");
  const wallets = await people.Support.browser.get("/api/v1/wallets");
  expect(wallets.body.data[0].balance).toBe(100_000);

  const empty = await issue("Support", "retail", { initialBalance: 0 });
  expect(empty.body.data).toMatchObject({ balance: 0 });
  const { cardId } = empty.body.data;
  expect(verdict(await issue("Support", "reissue", { sharedBalance: true, cardId }))).toBe(
    "200/000",
  );
  expect(verdict(await issue("Support", "reissue", { sharedBalance: false }))).toBe("200/000");
  expect(verdict(await issue("Finance", "retail", { initialBalance: 5 }))).toBe("200/000");
  expect(verdict(await issue("Finance", "lite", { balance: 5, swipeCount: 1 }))).toBe("200/000");
});

test("who may not see whole card numbers does not find out a CVV by many dry runs", async () => {
  const { body: kyc } = await people.Owner.browser.post("/api/v1/kyc/individual", bvn());
  const { customerId } = kyc.data;
  const { body: card } = await people.Owner.browser.post("/api/v1/cards/retail", { customerId });
  const rehearse = (role: Role, cvv: object) => {
    const purchase = { cardId: card.data.cardId, amount: 0, ...cvv };
    return people[role].browser.post("/api/v1/authorizations/dry-run", purchase);
  };
  // The card's tries are counted, whoever makes them.
  for (let n = 0; n < 20; n++)
    expect(verdict(await rehearse("Viewer", { cvv: "123" }))).toBe("200/000");
  for (const role of ["Developer", "Finance", "Viewer"] as const) {
    expectRefusal(await rehearse(role, { cvv: "123" }), "429/170");
    expect(verdict(await rehearse(role, {}))).toBe("200/000");
  }
  expect(verdict(await rehearse("Support", { cvv: "123" }))).toBe("200/000");

  // Nor with a token of the organization's own, which the role Developer may have.
  const { client } = service;
  const { body: token } = await client.requestToken({ scope: "CardAPIs" });
  const headers = { Authorization: `Bearer ${token.access_token}` };
  const purchase = { cardId: card.data.cardId, amount: 0, cvv: "123" };
  expectRefusal(await client.post("/authorizations/dry-run", purchase, { headers }), "429/170");
});

test("who may not see whole card numbers does not make it the default that tokens may", async () => {
  const set = (role: Role, defaultScopes: string[]) =>
    people[role].browser.call("PUT", "/dashboard/credentials/scopes", { body: { defaultScopes } });
  const both = ["CardAPIs", "CardSecrets"];
  // What is granted already may stay as it is, and be taken back.
  expect(verdict(await set("Owner", both))).toBe("200/000");
  expect(verdict(await set("Developer", both))).toBe("200/000");
  expect(verdict(await set("Developer", ["CardAPIs"]))).toBe("200/000");
  expectRefusal(await set("Developer", both), "403/149");
  const { body } = await people.Developer.browser.get("/dashboard/credentials");
  expect(body.data.defaultScopes).toEqual(["CardAPIs"]);
  expect(verdict(await set("Owner", both))).toBe("200/000");
});

test("another role counts at once", async () => {
  const owner = people.Owner.browser;
  const email = "changing@roles.example";
  const { browser } = await inviteAs(people.Owner, "Viewer", email);
  expectRefusal(await browser.get("/dashboard/requests"), "403/149");
  const { personId } = (await browser.me()).person;
  const path = `/dashboard/people/${personId}`;
  const changed = await owner.call("PATCH", path, { body: { role: "Developer" } });
  expect(changed.body.data).toMatchObject({ personId, role: "Developer", totp: true });
  expect(verdict(await browser.get("/dashboard/requests"))).toBe("200/000");
  expect(verdict(await owner.call("DELETE", path))).toBe("200/000");
  expectRefusal(await browser.get("/dashboard/requests"), "401/146");
  const { body } = await owner.get("/dashboard/people");
  expect(JSON.stringify(body)).not.toContain(email);
  // The audit still knows who that was.
  const audit = await owner.get("/dashboard/audit?limit=5");
  expect(audit.body.data[0]).toMatchObject({ action: "person.removed", subject: personId });
});

test("the last owner stays one", async () => {
  const { browser } = people.Owner;
  const { personId } = (await browser.me()).person;
  const path = `/dashboard/people/${personId}`;
  expectRefusal(await browser.call("PATCH", path, { body: { role: "Viewer" } }), "422/119");
  expectRefusal(await browser.call("DELETE", path), "422/119");
  const second = await inviteAs(people.Owner, "Owner", "second@roles.example");
  const secondId = (await second.browser.me()).person.personId;
  // Two owners who demote each other at once: one of them stays.
  const verdicts = await Promise.all([
    browser.call("PATCH", `/dashboard/people/${secondId}`, { body: { role: "Viewer" } }),
    second.browser.call("PATCH", path, { body: { role: "Viewer" } }),
  ]);
  expect(verdicts.map(verdict).filter((each) => each === "200/000")).toHaveLength(1);
});
