import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Core } from "../src/core.ts";
import { changeOrganization } from "../src/identity/organizations.ts";
import { becomes, expectRefusal, verdict } from "./harness/answers.ts";
import type { ApiAnswer } from "./harness/api-client.ts";
import { foundOrganization, type Organization, openOperator } from "./harness/operator.ts";
import { sendRaw } from "./harness/raw-http.ts";
import { startTestService, type TestService } from "./harness/service.ts";

/** Sends until it is stopped; the allowance comes back with time, so how many pass is not exact. */
async function untilLimited(
  send: () => Promise<ApiAnswer>,
  expected: string,
): Promise<{ passed: number; stopped: ApiAnswer }> {
  for (let passed = 0; passed < 500; passed++) {
    const answer = await send();
    if (answer.status === 429) return { passed, stopped: answer };
    expect(verdict(answer)).toBe(expected);
  }
  throw new Error("The rate limit never set in.");
}

function expectLimited(answer: ApiAnswer): void {
  expectRefusal(answer, "429/170");
  expect(answer.body.finality).toBe("Indeterminate");
  expect(answer.headers.get("retry-after")).toMatch(/^[1-9]\d*$/);
}

describe("authenticated calls, by client", () => {
  let service: TestService;
  let operator: Core;
  let organization: Organization;
  beforeAll(async () => {
    service = await startTestService({ FLORIN_RATE_LIMIT_RPS: "2" });
    operator = await openOperator(service);
    organization = await foundOrganization(operator, service);
  });
  afterAll(async () => {
    await operator.close();
    await service.stop();
  });

  test("a burst of twice the rate passes, then 429/170 with Retry-After", async () => {
    const { passed, stopped } = await untilLimited(
      () => organization.client.get("/wallets"),
      "200/000",
    );
    expect(passed).toBeGreaterThanOrEqual(4);
    expectLimited(stopped);
  });

  test("no more than that passes, but for what comes back meanwhile", async () => {
    const { client } = await foundOrganization(operator, service);
    await client.token();
    const startedMs = performance.now();
    const answers = await Promise.all(Array.from({ length: 20 }, () => client.get("/wallets")));
    const seconds = (performance.now() - startedMs) / 1000;
    const passed = answers.filter(({ status }) => status === 200).length;
    expect(passed).toBeLessThanOrEqual(4 + 2 * seconds);
  });

  test("one client's limit is not another's", async () => {
    await untilLimited(() => organization.client.get("/wallets"), "200/000");
    expect(verdict(await service.client.get("/wallets"))).toBe("200/000");
  });

  test("the allowance comes back", async () => {
    await untilLimited(() => organization.client.get("/wallets"), "200/000");
    await becomes(async () => verdict(await organization.client.get("/wallets")), "200/000");
  });

  test("who cannot sign for a client cannot use up its allowance", async () => {
    const { client } = await foundOrganization(operator, service);
    const strangers = [{ Signature: "wrong" }, { UniqueKey: "wrong" }, { Reference: "" }];
    for (let i = 0; i < 30; i++) {
      const headers = strangers[i % strangers.length] ?? {};
      expect((await client.get("/wallets", { headers })).status).not.toBe(429);
    }
    for (let i = 0; i < 4; i++) expect(verdict(await client.get("/wallets"))).toBe("200/000");
  });

  test("calls to unknown paths and malformed calls count too", async () => {
    const nowhere = await foundOrganization(operator, service);
    expectLimited((await untilLimited(() => nowhere.client.get("/nowhere"), "404/157")).stopped);
    const malformed = await foundOrganization(operator, service);
    const send = () => malformed.client.post("/simulator/wallets/deposits", {});
    expectLimited((await untilLimited(send, "400/131")).stopped);
  });
});

test("0 switches the limit off", async () => {
  const service = await startTestService({ FLORIN_RATE_LIMIT_RPS: "0" });
  const calls = Array.from({ length: 50 }, () => service.client.get("/wallets"));
  const answers = await Promise.all(calls);
  await service.stop();
  expect(new Set(answers.map(verdict))).toEqual(new Set(["200/000"]));
});

describe("unauthenticated calls, by address", () => {
  let service: TestService;
  let operator: Core;
  beforeAll(async () => {
    service = await startTestService({
      FLORIN_RATE_LIMIT_RPS: "5",
      FLORIN_ADDRESS_RATE_LIMIT_RPS: "1",
      FLORIN_TRUST_PROXY: "127.0.0.1",
    });
    operator = await openOperator(service);
  });
  afterAll(async () => {
    await operator.close();
    await service.stop();
  });

  const strangerFrom = (address: string) => () =>
    sendRaw(service.sandbox.apiUrl, {
      method: "GET",
      target: "/api/v1/wallets",
      headers: [["X-Forwarded-For", address]],
    });

  test("are stopped before the first check, with Retry-After", async () => {
    const { passed, stopped } = await untilLimited(strangerFrom("203.0.113.1"), "401/146");
    expect(passed).toBeGreaterThan(0);
    expectLimited(stopped);
  });

  test("one address's limit is not another's", async () => {
    await untilLimited(strangerFrom("203.0.113.2"), "401/146");
    expectRefusal(await strangerFrom("203.0.113.3")(), "401/146");
    const elsewhere = { headers: { "X-Forwarded-For": "203.0.113.3" } };
    expect(verdict(await service.client.get("/wallets", elsewhere))).toBe("200/000");
  });

  test("an IPv6 subscriber has one allowance for all of his addresses", async () => {
    let host = 0;
    const send = () => strangerFrom(`2001:db8:1:2::${(host++).toString(16)}`)();
    expectLimited((await untilLimited(send, "401/146")).stopped);
    expectRefusal(await strangerFrom("2001:db8:1:3::1")(), "401/146");
  });

  test("bad requests with a good token are not free either", async () => {
    const headers = { Signature: "wrong", "X-Forwarded-For": "203.0.113.4" };
    const send = () => service.client.get("/wallets", { headers });
    expectLimited((await untilLimited(send, "401/137")).stopped);
  });

  test("who has a good token and is over its own limit takes nothing from others at its address", async () => {
    const { client } = await foundOrganization(operator, service);
    const from = { headers: { "X-Forwarded-For": "203.0.113.6" } };
    // Until its token has been verified once it is a stranger, and each of many calls at once is a stranger's.
    await client.get("/wallets", from);
    const calls = Array.from({ length: 60 }, () => client.get("/wallets", from));
    expect((await Promise.all(calls)).map(({ status }) => status)).toContain(429);
    expectRefusal(await strangerFrom("203.0.113.6")(), "401/146");
  });

  test("who has a good token is no stranger, even if its client must be looked up anew", async () => {
    const { client } = await foundOrganization(operator, service);
    const other = await foundOrganization(operator, service);
    const from = { headers: { "X-Forwarded-For": "203.0.113.7" } };
    let host = 0;
    const ask = async () => {
      const elsewhere = { headers: { "X-Forwarded-For": `2001:db8:2:${host++}::1` } };
      return verdict(await other.client.get("/wallets", elsewhere));
    };
    expect([verdict(await client.get("/wallets", from)), await ask()]).toEqual(
      Array(2).fill("200/000"),
    );
    await changeOrganization(operator, other.organizationId, { status: "Disabled" });
    await becomes(ask, "403/115");
    await untilLimited(strangerFrom("203.0.113.7"), "401/146");
    expect(verdict(await client.get("/wallets", from))).toBe("200/000");
  });

  test("the token endpoint is covered", async () => {
    const { identityUrl } = service.sandbox;
    const headers: [string, string][] = [["X-Forwarded-For", "203.0.113.5"]];
    for (let i = 0; i < 500; i++) {
      const target = "/connect/token";
      const answer = await sendRaw(identityUrl, { method: "POST", target, headers });
      if (answer.status === 429) {
        expect(answer.headers.get("retry-after")).toMatch(/^[1-9]\d*$/);
        return;
      }
    }
    throw new Error("The rate limit never set in.");
  });
});

test("an address that a client makes up does not count", async () => {
  const service = await startTestService({ FLORIN_ADDRESS_RATE_LIMIT_RPS: "1" });
  let i = 0;
  const send = () =>
    sendRaw(service.sandbox.apiUrl, {
      method: "GET",
      target: "/api/v1/wallets",
      headers: [["X-Forwarded-For", `203.0.113.${i++ % 250}`]],
    });
  expectLimited((await untilLimited(send, "401/146")).stopped);
  // Those who ask whether the service is well are answered meanwhile.
  const probe = async (path: string) => (await fetch(service.sandbox.apiUrl + path)).status;
  expect(await Promise.all(["/healthz", "/readyz", "/docs"].map(probe))).toEqual([200, 200, 429]);
  // The dashboard's door is no way around it, nor are paths that cannot be decoded.
  const { apiUrl, dashboardUrl } = service.sandbox;
  const ways = [`${dashboardUrl}/dashboard/me`, `${dashboardUrl}/dashboard/%zz`];
  for (const way of [...ways, `${dashboardUrl}/api/v1/%zz`, `${apiUrl}/%zz`]) {
    expect((await fetch(way)).status, way).toBe(429);
  }
  await service.stop();
});
