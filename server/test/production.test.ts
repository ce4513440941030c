import { decodeJwt } from "jose";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { expectRefusal, readJson, verdict } from "./harness/answers.ts";
import { newReference } from "./harness/api-client.ts";
import {
  PUBLIC_API_URL,
  PUBLIC_IDENTITY_URL,
  startTestProduction,
  type TestProduction,
} from "./harness/production.ts";
import { sendRaw } from "./harness/raw-http.ts";

let production: TestProduction;
beforeAll(async () => {
  production = await startTestProduction();
});
afterAll(() => production.stop());

/** A call as it comes out of the proxy: signed for the public address, sent to the private one. */
async function callThroughProxy(method: string, path: string, body?: unknown) {
  const target = `/api/v1${path}`;
  const headers = await production.client.headers(method, PUBLIC_API_URL + target, { body });
  return sendRaw(production.apiOrigin, {
    method,
    target,
    headers: [...Object.entries(headers), ["X-Forwarded-For", "203.0.113.9"]],
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}

test("clients sign the public address", async () => {
  const answer = await callThroughProxy("GET", "/wallets");
  expect(verdict(answer)).toBe("200/000");
  expect(answer.body.data).toEqual([]);
});

test("a signature of the private address is refused, without a hint at what was expected", async () => {
  const target = "/api/v1/wallets";
  const reference = newReference();
  const headers = await production.client.headers("GET", production.apiOrigin + target, {
    reference,
  });
  const answer = await sendRaw(production.apiOrigin, {
    method: "GET",
    target,
    headers: Object.entries(headers),
  });
  expectRefusal(answer, "401/137");
  expect(JSON.stringify(answer.body)).not.toContain(PUBLIC_API_URL);
});

test("tokens name the public addresses", async () => {
  const { iss, aud } = decodeJwt(await production.client.token());
  expect({ iss, aud }).toEqual({ iss: PUBLIC_IDENTITY_URL, aud: PUBLIC_API_URL });
  const configuration = await readJson(
    `${production.identityOrigin}/.well-known/openid-configuration`,
  );
  expect(configuration).toMatchObject({
    issuer: PUBLIC_IDENTITY_URL,
    token_endpoint: `${PUBLIC_IDENTITY_URL}/connect/token`,
    jwks_uri: `${PUBLIC_IDENTITY_URL}/.well-known/jwks.json`,
  });
});

test("no page may fetch a token", async () => {
  const answer = await sendRaw(production.identityOrigin, {
    method: "OPTIONS",
    target: "/connect/token",
    headers: [
      ["Origin", PUBLIC_API_URL],
      ["Access-Control-Request-Method", "POST"],
    ],
  });
  expect(answer.status).toBe(405);
  expect(answer.headers.get("access-control-allow-origin")).toBeNull();
});

test("a purchase can be rehearsed", async () => {
  const body = { cardId: `card_${"0".repeat(26)}`, amount: 1 };
  expectRefusal(await callThroughProxy("POST", "/authorizations/dry-run", body), "404/148");
});

describe("there is no simulator", () => {
  test.each([
    ["/simulator/wallets/deposits", { currency: "USD", amount: 1 }],
    ["/simulator/clock/advance", { seconds: 1 }],
    ["/simulator/kyc/kyc_00000000000000000000000000", { status: "Approved" }],
    ["/simulator/authorizations", { cardId: "x", amount: 1 }],
    ["/simulator/faults", { fault: "None" }],
  ])("%s is 404/157", async (path, body) => {
    expectRefusal(await callThroughProxy("POST", path, body), "404/157");
  });

  test("nor does the documentation mention one", async () => {
    const document = await readJson(`${production.apiOrigin}/openapi.json`);
    expect(Object.keys(document.paths).filter((path) => path.includes("simulator"))).toEqual([]);
    expect(document.servers).toEqual([{ url: PUBLIC_API_URL }]);
  });
});

describe("metrics", () => {
  const readMetrics = async (origin: string, headers: Record<string, string> = {}) =>
    (await fetch(`${origin}/metrics`, { headers })).status;
  const REFUSED = [401, 403, 404];

  test("are for this machine", async () => {
    expect(await readMetrics(production.apiOrigin)).toBe(200);
  });

  test.each<Record<string, string>>([
    { "X-Forwarded-For": "203.0.113.9" },
    { Forwarded: "for=203.0.113.9" },
  ])("are not for whoever comes through the proxy, which says so with %j", async (headers) => {
    expect(REFUSED).toContain(await readMetrics(production.apiOrigin, headers));
  });

  test("are not for whoever makes up an address of this machine", async () => {
    const headers = { "X-Forwarded-For": "127.0.0.1, 203.0.113.9" };
    expect(REFUSED).toContain(await readMetrics(production.apiOrigin, headers));
  });

  test("with a token configured, are for who has it", async () => {
    const guarded = await startTestProduction({ FLORIN_METRICS_TOKEN: "metrics-token" });
    const read = (authorization?: string) =>
      readMetrics(guarded.apiOrigin, {
        "X-Forwarded-For": "203.0.113.9",
        ...(authorization === undefined ? {} : { authorization }),
      });
    const statuses = [
      await read("Bearer metrics-token"),
      await read("Bearer metrics-toke"),
      await read("metrics-token"),
      await read(),
    ];
    await guarded.stop();
    expect(statuses[0]).toBe(200);
    for (const status of statuses.slice(1)) expect(REFUSED).toContain(status);
  });
});
