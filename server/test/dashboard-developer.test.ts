import { afterAll, beforeAll, expect, test } from "vitest";
import { createPool, type Pool } from "../src/db/pool.ts";
import { expectRefusal, verdict } from "./harness/answers.ts";
import { ApiClient, newReference } from "./harness/api-client.ts";
import { type Browser, logInOwner, signUp } from "./harness/dashboard.ts";
import { approve, Decider, declineIt, saying } from "./harness/decider.ts";
import { eventually, until } from "./harness/eventually.ts";
import { bvn } from "./harness/kyc.ts";
import { startTestService, type TestService } from "./harness/service.ts";

let service: TestService;
let pool: Pool;
let owner: Browser;
let decider: Decider;
beforeAll(async () => {
  service = await startTestService();
  pool = createPool(service.databaseUrl, 2);
  owner = (await logInOwner(service.sandbox)).browser;
  decider = await Decider.start();
});
afterAll(async () => {
  decider.stop();
  await pool.end();
  await service.stop();
});

/** A client of the API with the credentials of an organization in the dashboard. */
async function clientOf(browser: Browser, clientSecret: string): Promise<ApiClient> {
  const { body } = await browser.get("/dashboard/credentials");
  const { clientId, uniqueKey } = body.data;
  return new ApiClient({ ...service.sandbox, clientId, uniqueKey, clientSecret });
}

test("a new organization finds its credentials, and they work", async () => {
  const { browser } = await signUp(service.sandbox.dashboardUrl, "dev@credentials.example");
  const shown = await browser.get("/dashboard/credentials");
  expect(shown.headers.get("cache-control")).toBe("no-store");
  expect(shown.body.data).toEqual({
    clientId: expect.stringMatching(/^cli_/),
    uniqueKey: expect.stringMatching(/^[\w-]{32}$/),
    scopes: ["CardAPIs", "CardSecrets"],
    defaultScopes: ["CardAPIs"],
    secrets: [{ createdAt: expect.any(String), expiresAt: null }],
    revealable: true,
    signingSecrets: [{ createdAt: expect.any(String), expiresAt: null }],
  });
  const revealed = await browser.post("/dashboard/credentials/reveal");
  const { clientSecret } = revealed.body.data;
  const client = await clientOf(browser, clientSecret);
  expect(verdict(await client.get("/wallets"))).toBe("200/000");
  // Once is once.
  expectRefusal(await browser.post("/dashboard/credentials/reveal"), "422/178");
  const after = await browser.get("/dashboard/credentials");
  expect(after.body.data.revealable).toBe(false);
});

test("a secret is revealed to one of two who ask at once", async () => {
  const { browser } = await signUp(service.sandbox.dashboardUrl, "dev@reveal.example");
  const answers = await Promise.all([
    browser.post("/dashboard/credentials/reveal"),
    browser.post("/dashboard/credentials/reveal"),
  ]);
  expect(answers.map(verdict).toSorted()).toEqual(["200/000", "422/178"]);
});

test("a rotated secret works at once, and the old one until the overlap is over", async () => {
  const { browser } = await signUp(service.sandbox.dashboardUrl, "dev@rotation.example");
  const first = (await browser.post("/dashboard/credentials/reveal")).body.data.clientSecret;
  const old = await clientOf(browser, first);
  expect(verdict(await old.get("/wallets"))).toBe("200/000");

  const rotated = await browser.post("/dashboard/credentials/rotate", { overlapHours: 1 });
  const { clientId, clientSecret, expiresPreviousAt } = rotated.body.data;
  expect(clientId).toBe(old.sandbox.clientId);
  expect(Date.parse(expiresPreviousAt)).toBeGreaterThan(Date.now());
  const fresh = await clientOf(browser, clientSecret);
  expect(verdict(await fresh.get("/wallets"))).toBe("200/000");
  expect(verdict(await old.get("/wallets"))).toBe("200/000");
  const shown = await browser.get("/dashboard/credentials");
  expect(shown.body.data.secrets).toEqual([
    { createdAt: expect.any(String), expiresAt: null },
    { createdAt: expect.any(String), expiresAt: expiresPreviousAt },
  ]);

  const again = await browser.post("/dashboard/credentials/rotate", { overlapHours: 0 });
  const last = await clientOf(browser, again.body.data.clientSecret);
  expect(verdict(await last.get("/wallets"))).toBe("200/000");
  expect((await browser.get("/dashboard/credentials")).body.data.secrets).toEqual([
    { createdAt: expect.any(String), expiresAt: null },
  ]);
  for (const ended of [old, fresh]) {
    expectRefusal(await ended.get("/wallets"), "401/137");
    expect((await ended.requestToken()).status).toBe(401);
  }
});

test("a secret that a rotation has shown is not revealed once more", async () => {
  const { browser } = await signUp(service.sandbox.dashboardUrl, "dev@shown.example");
  const before = (await browser.get("/dashboard/credentials")).body.data;
  expect(before.revealable).toBe(true);
  await browser.post("/dashboard/credentials/rotate", { overlapHours: 1 });
  const after = (await browser.get("/dashboard/credentials")).body.data;
  expect(after.revealable).toBe(false);
  expectRefusal(await browser.post("/dashboard/credentials/reveal"), "422/178");
  // The one before is as old as it was.
  expect(after.secrets[1].createdAt).toBe(before.secrets[0].createdAt);
});

test("two who rotate at once get a secret each, and both work", async () => {
  const { browser } = await signUp(service.sandbox.dashboardUrl, "dev@together.example");
  for (let round = 0; round < 3; round++) {
    const rotated = await Promise.all([
      browser.post("/dashboard/credentials/rotate", { overlapHours: 1 }),
      browser.post("/dashboard/credentials/rotate", { overlapHours: 1 }),
    ]);
    for (const { body } of rotated) {
      const client = await clientOf(browser, body.data.clientSecret);
      expect(verdict(await client.get("/wallets"))).toBe("200/000");
    }
  }
});

test("a rotated secret works at once in every process", async () => {
  const other = await startTestService({ FLORIN_DATABASE_URL: service.databaseUrl });
  try {
    const { browser } = await signUp(service.sandbox.dashboardUrl, "dev@processes.example");
    const { apiUrl, identityUrl } = other.sandbox;
    for (let round = 0; round < 3; round++) {
      const rotated = await browser.post("/dashboard/credentials/rotate", { overlapHours: 1 });
      const { sandbox } = await clientOf(browser, rotated.body.data.clientSecret);
      const there = new ApiClient({ ...sandbox, apiUrl, identityUrl });
      expect(verdict(await there.get("/wallets"))).toBe("200/000");
    }
  } finally {
    await other.stop();
  }
});

test.each([-1, 169, "1", null])("an overlap of %o hours is refused", async (overlapHours) => {
  expectRefusal(await owner.post("/dashboard/credentials/rotate", { overlapHours }), "400/131");
});

test("scopes that a token has by default are chosen here", async () => {
  const { browser } = await signUp(service.sandbox.dashboardUrl, "dev@scopes.example");
  const { clientSecret } = (await browser.post("/dashboard/credentials/reveal")).body.data;
  const client = await clientOf(browser, clientSecret);
  expect((await client.requestToken()).body.scope).toBe("CardAPIs");
  const body = { defaultScopes: ["CardAPIs", "CardSecrets"] };
  const changed = await browser.call("PUT", "/dashboard/credentials/scopes", { body });
  expect(changed.body.data.defaultScopes).toEqual(body.defaultScopes);
  expect((await client.requestToken()).body.scope).toBe("CardAPIs CardSecrets");
  for (const defaultScopes of [[], ["Everything"], ["CardAPIs", "CardAPIs"]]) {
    const bad = { body: { defaultScopes } };
    expectRefusal(await browser.call("PUT", "/dashboard/credentials/scopes", bad), "400/131");
  }
  // Nobody takes a scope that the client was not granted.
  await pool.query("update clients set allowed_scopes = '{CardAPIs}' where client_id = $1", [
    client.sandbox.clientId,
  ]);
  expectRefusal(await browser.call("PUT", "/dashboard/credentials/scopes", { body }), "400/131");
});

interface Logged {
  requestId: string;
  path: string;
  responseCode: string;
  reference: string;
}

const logged = (path: string): Promise<Logged[]> =>
  owner.get(path).then(({ body }) => body.data as Logged[]);

test("the request log shows what was asked and how it ended, and nothing secret", async () => {
  const { client } = service;
  const reference = newReference();
  const answer = await client.get("/customers?name=Hush", { reference });
  const missing = await client.get("/cards/card_nothing");
  const kyc = await client.post("/kyc/individual", bvn({ lastName: "Hush" }));
  expect(kyc.status).toBe(200);
  const forged = await client.get("/wallets", { headers: { Signature: "forged" } });
  expectRefusal(forged, "401/137");
  const rows = await eventually("the requests are noted", async () => {
    const all = await logged("/dashboard/requests?limit=100");
    return all.some(({ requestId }) => requestId === forged.body.requestId) ? all : undefined;
  });
  const find = (requestId: string) => rows.find((row) => row.requestId === requestId);
  expect(find(answer.body.requestId)).toEqual({
    requestId: answer.body.requestId,
    at: expect.any(String),
    method: "GET",
    path: "/api/v1/customers",
    reference,
    responseCode: "000",
    finality: "TerminalSuccess",
    httpStatus: 200,
    durationMs: expect.any(Number),
  });
  expect(find(missing.body.requestId)).toMatchObject({
    responseCode: "112",
    finality: "TerminalFailure",
    httpStatus: 400,
  });
  // Why a signature was refused is what developers look for most.
  expect(find(forged.body.requestId)).toMatchObject({
    path: "/api/v1/wallets",
    responseCode: "137",
  });
  const text = JSON.stringify((await pool.query("select * from api_requests")).rows);
  for (const secret of ["Hush", "22222222222", service.sandbox.clientSecret]) {
    expect(text).not.toContain(secret);
  }
});

test("the request log is sifted and paged", async () => {
  const asked: string[] = [];
  for (let i = 0; i < 3; i++) {
    asked.push((await service.client.get("/cards/card_nothing")).body.requestId);
  }
  // By their names: there are others in it, and one that came late would change what is looked at.
  await until("they are noted", async () => {
    const noted = await logged("/dashboard/requests?code=112&limit=100");
    return asked.every((id) => noted.some(({ requestId }) => requestId === id));
  });
  const failed = await logged("/dashboard/requests?outcome=Failed&limit=100");
  expect(failed.every(({ responseCode }) => responseCode !== "000")).toBe(true);
  const succeeded = await logged("/dashboard/requests?outcome=Succeeded&limit=100");
  expect(succeeded.every(({ responseCode }) => responseCode === "000")).toBe(true);
  const first = await owner.get("/dashboard/requests?code=112&limit=2");
  const { nextCursor } = first.body.pagination;
  const rest = await logged(`/dashboard/requests?code=112&limit=100&cursor=${nextCursor}`);
  const ids = [...first.body.data, ...rest].map(({ requestId }: Logged) => requestId);
  expect(ids).toEqual(
    (await logged("/dashboard/requests?code=112&limit=100")).map((r) => r.requestId),
  );
  for (const bad of ["limit=0", "code=12", "outcome=Maybe", "cursor=nonsense"]) {
    expectRefusal(await owner.get(`/dashboard/requests?${bad}`), "400/131");
  }
});

test("an Authorization URL is tried before it counts", async () => {
  const settings = {
    model: "CustomerManaged",
    authorizationUrl: decider.url,
    defaultAuthorizationDecision: "AutoDecline",
  };
  const { browser } = await signUp(service.sandbox.dashboardUrl, "dev@authorization.example");
  const test = () => browser.post("/dashboard/authorization-test");
  expectRefusal(await test(), "422/119");
  const saved = await browser.call("PUT", "/api/v1/settings/card-authorization", {
    body: settings,
  });
  expect(verdict(saved)).toBe("200/000");

  decider.answer = approve;
  const approved = (await test()).body.data;
  expect(approved).toEqual({
    decision: "Approve",
    source: "Answer",
    httpStatus: 200,
    latencyMs: expect.any(Number),
    deadlineMs: 400,
    inTime: true,
    problem: null,
  });
  const { message } = decider.questions.at(-1) ?? {};
  expect(message).toMatchObject({
    requestType: "Authorization",
    amount: 0,
    merchant: { mid: "FLORINTEST" },
  });

  decider.answer = declineIt;
  expect((await test()).body.data).toMatchObject({ decision: "Decline", source: "Answer" });
  decider.answer = saying("no JSON at all");
  expect((await test()).body.data).toMatchObject({
    decision: "Decline",
    source: "Default",
    httpStatus: 200,
    problem: "The answer is not valid JSON",
  });
  // Somebody who never answers.
  decider.answer = () => undefined;
  expect((await test()).body.data).toMatchObject({
    source: "Default",
    httpStatus: null,
    inTime: false,
    problem: expect.stringMatching(/./),
  });
  const { rows } = await pool.query(
    "select from transactions t join organizations o using (organization_id) where o.name = 'Newcomers Ltd'",
  );
  expect(rows).toEqual([]);
});

test("an Authorization URL that answers too late is told how much too late", async () => {
  const { browser } = await signUp(service.sandbox.dashboardUrl, "dev@late.example");
  const body = {
    model: "CustomerManaged",
    authorizationUrl: decider.url,
    defaultAuthorizationDecision: "AutoDecline",
  };
  await browser.call("PUT", "/api/v1/settings/card-authorization", { body });
  decider.answer = (call, response) => setTimeout(() => approve(call, response), 800);
  const { data } = (await browser.post("/dashboard/authorization-test")).body;
  expect(data).toMatchObject({
    decision: "Decline",
    source: "Default",
    httpStatus: 200,
    deadlineMs: 400,
    inTime: false,
    problem: "No answer in time",
  });
  expect(data.latencyMs).toBeGreaterThan(790);
});

test("what people do through the API's routes is on record with its outcome", async () => {
  const { body: kyc } = await owner.post("/api/v1/kyc/individual", bvn());
  const { customerId } = kyc.data;
  const issued = await owner.post("/api/v1/cards/retail", { customerId, initialBalance: 10 });
  const { cardId } = issued.body.data;
  await owner.post(`/api/v1/cards/${cardId}/top-up`, { amount: 5 });
  await owner.post(`/api/v1/cards/${cardId}/withdraw`, { amount: 5_000 });
  const secure = await owner.get(`/api/v1/cards/${cardId}/secure`);
  expect(secure.headers.get("cache-control")).toBe("no-store");
  const { body } = await owner.get("/dashboard/audit?limit=5");
  const entries = body.data.map((entry: Record<string, unknown>) => [entry.action, entry.subject]);
  expect(entries).toEqual([
    ["card.secrets_read", cardId],
    ["withdrawFromCard", cardId],
    ["topUpCard", cardId],
    ["issueRetailCard", cardId],
    ["verifyIndividual", expect.stringMatching(/^kyc_/)],
  ]);
  expect(body.data[1].detail).toMatchObject({ outcome: "116", amount: 5_000 });
  expect(body.data[2].detail).toMatchObject({ outcome: "000", amount: 5 });
  for (const entry of body.data) {
    expect(entry).toMatchObject({ person: { name: "Sandbox Owner" }, address: "127.0.0.1" });
  }
  const text = JSON.stringify(body);
  expect(text).not.toContain(secure.body.data.pan);
  expect(text).not.toContain("22222222222");
});

test("a deed is on record before it happens", async () => {
  const { customerId } = (await owner.post("/api/v1/kyc/individual", bvn())).body.data;
  const { cardId } = (await owner.post("/api/v1/cards/retail", { customerId })).body.data;
  const gate = await pool.connect();
  const entry = async () => {
    const { data } = (await owner.get("/dashboard/audit?limit=1")).body;
    return data[0].action === "topUpCard" && data[0].subject === cardId ? data[0] : undefined;
  };
  // No money moves meanwhile.
  await gate.query("begin");
  await gate.query("lock table transactions in exclusive mode");
  const topUp = owner.post(`/api/v1/cards/${cardId}/top-up`, { amount: 5 });
  const before = await eventually("it is on record", entry).finally(async () => {
    await gate.query("rollback");
    gate.release();
  });
  expect(before.outcome).toBeNull();
  expect(verdict(await topUp)).toBe("200/000");
  expect((await entry()).outcome).toMatchObject({ code: "000" });
});

test("a person's write works once for its Reference", async () => {
  const reference = newReference();
  const deposit = () =>
    owner.post("/api/v1/simulator/wallets/deposits", { currency: "EUR", amount: 7 }, { reference });
  const answers = await Promise.all([deposit(), deposit()]);
  expect(answers.map(verdict).toSorted()).toEqual(["200/000", "400/139"]);
  const wallets = (await owner.get("/api/v1/wallets")).body.data;
  expect(wallets.find(({ currency }: { currency: string }) => currency === "EUR").balance).toBe(7);
  expectRefusal(
    await owner.post("/api/v1/simulator/wallets/deposits", {}, { reference: "" }),
    "400/131",
  );
});
