import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Core } from "../src/core.ts";
import { changeOrganization } from "../src/identity/organizations.ts";
import { becomes } from "./harness/answers.ts";
import type { ApiAnswer } from "./harness/api-client.ts";
import { foundOrganization, type Organization, openOperator } from "./harness/operator.ts";
import { sendRaw } from "./harness/raw-http.ts";
import { startTestService, type TestService } from "./harness/service.ts";

const FORM = "application/x-www-form-urlencoded";
const GRANT = "grant_type=client_credentials";

let service: TestService;
let operator: Core;
let other: Organization;
beforeAll(async () => {
  service = await startTestService();
  operator = await openOperator(service);
  other = await foundOrganization(operator, service);
});
afterAll(async () => {
  await operator.close();
  await service.stop();
});

const basic = (id: string, secret: string): string =>
  `Basic ${Buffer.from(`${id}:${secret}`).toString("base64")}`;
const goodBasic = (): string => basic(service.sandbox.clientId, service.sandbox.clientSecret);

/** A token request as it goes over the wire; good unless something else is given. */
function requestToken({
  method = "POST",
  authorization = goodBasic(),
  contentType = FORM,
  body = GRANT,
  identityUrl = service.sandbox.identityUrl,
  headers = [],
}: {
  method?: string;
  authorization?: string | null;
  contentType?: string | null;
  body?: string | Buffer;
  identityUrl?: string;
  headers?: [string, string][];
} = {}): Promise<ApiAnswer> {
  const lines = [...headers];
  if (authorization !== null) lines.push(["Authorization", authorization]);
  if (contentType !== null) lines.push(["Content-Type", contentType]);
  return sendRaw(identityUrl, { method, target: "/connect/token", headers: lines, body });
}

/** Every refusal has the form of RFC 6749, and repeats nothing that was sent. */
function expectTokenError(answer: ApiAnswer, status: number, error: string): void {
  expect({ status: answer.status, body: answer.body }).toStrictEqual({
    status,
    body: { error, error_description: expect.stringMatching(/^[ !#-[\]-~]+$/) },
  });
  expect(answer.headers.get("content-type")).toMatch(/^application\/json\b/);
  expect(answer.headers.get("cache-control")).toBe("no-store");
  expect(answer.headers.get("www-authenticate") !== null).toBe(status === 401);
  if (status === 401) expect(answer.headers.get("www-authenticate")).toMatch(/^Basic\b/);
  expect(JSON.stringify(answer.body)).not.toContain(service.sandbox.clientSecret);
}

describe("200", () => {
  test("has the four fields of the interface, and is not to be stored", async () => {
    const { status, headers, body } = await requestToken();
    expect(status).toBe(200);
    expect(body).toStrictEqual({
      access_token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
      token_type: "Bearer",
      expires_in: 3600,
      scope: "CardAPIs CardSecrets",
    });
    expect(headers.get("content-type")).toMatch(/^application\/json\b/);
    expect(headers.get("cache-control")).toBe("no-store");
  });

  test.each([
    ["none, for the sandbox client", "", "CardAPIs CardSecrets"],
    ["an empty one", "scope=", "CardAPIs CardSecrets"],
    ["CardAPIs", "scope=CardAPIs", "CardAPIs"],
    ["CardSecrets", "scope=CardSecrets", "CardSecrets"],
    ["both", "scope=CardAPIs%20CardSecrets", "CardAPIs CardSecrets"],
    ["both, with a plus", "scope=CardAPIs+CardSecrets", "CardAPIs CardSecrets"],
    ["the same twice", "scope=CardAPIs+CardAPIs", "CardAPIs"],
  ])("scope asked for: %s", async (_name, scope, granted) => {
    const { status, body } = await requestToken({ body: `${GRANT}&${scope}` });
    expect(status).toBe(200);
    expect(body.scope).toBe(granted);
  });

  test("CardSecrets is not in a token unless it is a default or asked for", async () => {
    expect((await other.client.requestToken()).body.scope).toBe("CardAPIs");
  });

  test.each([
    ["a charset", { contentType: `${FORM}; charset=UTF-8` }],
    ["a content type in capitals", { contentType: FORM.toUpperCase() }],
    ["parameters that are not known", { body: `${GRANT}&audience=x` }],
  ])("%s does no harm", async (_name, change) => {
    expect((await requestToken(change)).status).toBe(200);
  });

  test("the scheme may be written in any case", async () => {
    const authorization = goodBasic().replace("Basic", "bAsIc");
    expect((await requestToken({ authorization })).status).toBe(200);
  });

  test("many good requests are not mistaken for guesses", async () => {
    for (let i = 0; i < 30; i++) expect((await requestToken()).status).toBe(200);
  });
});

test("the lifetime of tokens is FLORIN_TOKEN_TTL_S", async () => {
  const shortLived = await startTestService({ FLORIN_TOKEN_TTL_S: "60" });
  const { body } = await shortLived.client.requestToken();
  await shortLived.stop();
  expect(body.expires_in).toBe(60);
});

describe("400 invalid_request", () => {
  test.each<[string, Parameters<typeof requestToken>[0]]>([
    ["no grant_type", { body: "scope=CardAPIs" }],
    ["an empty grant_type", { body: "grant_type=" }],
    ["no body", { body: "" }],
    ["grant_type twice", { body: `${GRANT}&${GRANT}` }],
    ["scope twice", { body: `${GRANT}&scope=CardAPIs&scope=CardSecrets` }],
    ["JSON", { contentType: "application/json", body: '{"grant_type":"client_credentials"}' }],
    ["text", { contentType: "text/plain" }],
    ["another form", { contentType: "multipart/form-data; boundary=x" }],
    ["no content type", { contentType: null }],
    ["a body out of proportion", { body: `${GRANT}&x=${"x".repeat(100_000)}` }],
    ["bytes that are no text", { body: Buffer.from([0xff, 0xfe, 0x00]) }],
  ])("%s", async (_name, change) => {
    expectTokenError(await requestToken(change), 400, "invalid_request");
  });

  test.each([
    ["the secret in the body too", () => `client_secret=${service.sandbox.clientSecret}`],
    ["another client in the body", () => `client_id=${other.clientId}`],
  ])("%s", async (_name, parameter) => {
    const answer = await requestToken({ body: `${GRANT}&${parameter()}` });
    expectTokenError(answer, 400, "invalid_request");
  });

  test.each([
    ["the same client", () => `client_id=${service.sandbox.clientId}`],
    ["nothing of either", () => "client_id=&client_secret="],
  ])("but not for %s in the body", async (_name, parameters) => {
    expect((await requestToken({ body: `${GRANT}&${parameters()}` })).status).toBe(200);
  });
});

describe("400 unsupported_grant_type", () => {
  test.each(["password", "authorization_code", "refresh_token", "Client_Credentials", "%00"])(
    "%s",
    async (grantType) => {
      const answer = await requestToken({ body: `grant_type=${grantType}` });
      expectTokenError(answer, 400, "unsupported_grant_type");
    },
  );
});

describe("400 invalid_scope", () => {
  test.each(["Everything", "cardapis", "CardAPIs+Everything", "CardAPIs,CardSecrets", "%00"])(
    "%s",
    async (scope) => {
      const answer = await requestToken({ body: `${GRANT}&scope=${scope}` });
      expectTokenError(answer, 400, "invalid_scope");
    },
  );

  test("a scope that the client was not granted", async () => {
    const { clientId, clientSecret } = await foundOrganization(operator, service);
    await operator.pool.query(
      "update clients set allowed_scopes = array['CardAPIs'] where client_id = $1",
      [clientId],
    );
    const authorization = basic(clientId, clientSecret);
    const body = `${GRANT}&scope=CardSecrets`;
    expectTokenError(await requestToken({ authorization, body }), 400, "invalid_scope");
    expect((await requestToken({ authorization })).status).toBe(200);
  });
});

describe("401 invalid_client", () => {
  const encode = (text: string | Buffer) =>
    `Basic ${Buffer.from(text as string).toString("base64")}`;
  test.each<[string, (id: string, secret: string) => string | null]>([
    ["no Authorization", () => null],
    ["an empty one", () => ""],
    ["another scheme", (id, secret) => basic(id, secret).replace("Basic", "Bearer")],
    ["not encoded", (id, secret) => `Basic ${id}:${secret}`],
    ["no colon", (id) => encode(id)],
    ["no client id", (_id, secret) => encode(`:${secret}`)],
    ["no secret", (id) => encode(`${id}:`)],
    ["a wrong secret", (id) => encode(`${id}:wrong`)],
    ["half a secret", (id, secret) => encode(`${id}:${secret.slice(0, -1)}`)],
    ["a secret and more", (id, secret) => encode(`${id}:${secret}x`)],
    ["a client that is not known", (_id, secret) => basic("cli_unknown", secret)],
    ["a very long client id", (_id, secret) => basic("c".repeat(4_000), secret)],
    ["a NUL in the client id", (id, secret) => basic(`${id}\0`, secret)],
    ["a NUL in the secret", (id, secret) => basic(id, `${secret}\0`)],
    ["bytes that are no text", () => encode(Buffer.from([0xff, 0x3a, 0xfe]))],
    ["quotes and semicolons", (_id, secret) => basic("'; drop table clients; --", secret)],
  ])("%s", async (_name, authorization) => {
    // A client of its own, since guesses at one client are counted.
    const { clientId, clientSecret } = await foundOrganization(operator, service);
    const answer = await requestToken({ authorization: authorization(clientId, clientSecret) });
    expectTokenError(answer, 401, "invalid_client");
  });

  test("another client's secret", async () => {
    const authorization = basic(service.sandbox.clientId, other.clientSecret);
    expectTokenError(await requestToken({ authorization }), 401, "invalid_client");
  });

  test.each([
    ["the same", goodBasic],
    ["another client's", () => basic(other.clientId, other.clientSecret)],
    ["a wrong one", () => basic(service.sandbox.clientId, "wrong")],
  ])(
    "Authorization twice, the second time %s: nobody guesses which counts",
    async (_name, second) => {
      const answer = await requestToken({
        authorization: second(),
        headers: [["Authorization", goodBasic()]],
      });
      expectTokenError(answer, 401, "invalid_client");
    },
  );

  test("credentials in the body instead of the header", async () => {
    const { clientId, clientSecret } = service.sandbox;
    const body = `${GRANT}&client_id=${clientId}&client_secret=${clientSecret}`;
    const answer = await requestToken({ authorization: null, body });
    expectTokenError(answer, 401, "invalid_client");
  });

  test("a guess is not repeated in the answer", async () => {
    const authorization = basic(service.sandbox.clientId, "my-mistyped-secret");
    const { body } = await requestToken({ authorization, body: `${GRANT}&scope=my-scope` });
    expect(JSON.stringify(body)).not.toMatch(/my-mistyped-secret|my-scope/);
  });
});

describe("403 unauthorized_client", () => {
  const setClientStatus = (clientId: string, status: string) =>
    operator.pool.query(
      `with changed as (update clients set status = $2 where client_id = $1)
       update shared_state set directory_version = directory_version + 1`,
      [clientId, status],
    );

  test.each<[string, (found: Organization, status: "Enabled" | "Disabled") => Promise<unknown>]>([
    [
      "organization",
      ({ organizationId }, status) => changeOrganization(operator, organizationId, { status }),
    ],
    ["client", ({ clientId }, status) => setClientStatus(clientId, status)],
  ])("for a disabled %s, until it is enabled again", async (_name, setStatus) => {
    const found = await foundOrganization(operator, service);
    const authorization = basic(found.clientId, found.clientSecret);
    const status = async () => (await requestToken({ authorization })).status;
    expect(await status()).toBe(200);

    await setStatus(found, "Disabled");
    await becomes(status, 403);
    expectTokenError(await requestToken({ authorization }), 403, "unauthorized_client");
    // Only who knows the secret is told.
    const guess = basic(found.clientId, "wrong");
    expectTokenError(await requestToken({ authorization: guess }), 401, "invalid_client");

    await setStatus(found, "Enabled");
    await becomes(status, 200);
  });
});

describe("405 with Allow: POST", () => {
  test.each(["GET", "HEAD", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "PROPFIND", "SEARCH"])(
    "%s",
    async (method) => {
      const bodiless = { contentType: null, body: "" };
      for (const authorization of [goodBasic(), null]) {
        const answer = await requestToken({ method, authorization, ...bodiless });
        expect(answer.status).toBe(405);
        expect(answer.headers.get("allow")).toBe("POST");
        if (method === "HEAD") continue;
        expect(answer.body).toStrictEqual({
          error: "invalid_request",
          error_description: expect.any(String),
        });
      }
    },
  );

  test.each([
    ["a good form", undefined],
    ["more than is read", "x".repeat(9_000)],
  ])("PUT with %s", async (_what, body) => {
    const answer = await requestToken({ method: "PUT", ...(body === undefined ? {} : { body }) });
    expect(answer.status).toBe(405);
    expect(answer.headers.get("allow")).toBe("POST");
  });
});

test("a query after the path changes neither what is taken nor what is refused", async () => {
  const target = "/connect/token?x=1";
  const answer = await sendRaw(service.sandbox.identityUrl, { method: "GET", target });
  expect([answer.status, answer.headers.get("allow")]).toEqual([405, "POST"]);
});

test("other paths are not found", async () => {
  for (const target of ["/", "/connect", "/connect/authorize", "/api/v1/wallets"]) {
    const answer = await sendRaw(service.sandbox.identityUrl, { method: "GET", target });
    expect(answer.status, target).toBe(404);
  }
});

test("a path that cannot be decoded is refused in the same form as everything else", async () => {
  const target = "/connect/token%zz";
  const answer = await sendRaw(service.sandbox.identityUrl, { method: "POST", target });
  expect([400, 404]).toContain(answer.status);
  expect(answer.body).toStrictEqual({
    error: expect.any(String),
    error_description: expect.any(String),
  });
});

describe("guesses at a secret are throttled", () => {
  const attempt = (identityUrl: string, address: string, authorization: string) =>
    requestToken({ identityUrl, authorization, headers: [["X-Forwarded-For", address]] });

  /** Guesses, from a new address each time if there are several, until it is stopped. */
  async function guessUntilStopped(
    identityUrl: string,
    clientId: string,
    addresses: (i: number) => string,
  ): Promise<ApiAnswer> {
    for (let i = 0; i < 100; i++) {
      const answer = await attempt(identityUrl, addresses(i), basic(clientId, `guess ${i}`));
      if (answer.status === 429) return answer;
      expectTokenError(answer, 401, "invalid_client");
    }
    throw new Error("Nobody stopped the guesses.");
  }

  test("by address and client together, so that nobody can lock a victim out", async () => {
    const proxied = await startTestService({ FLORIN_TRUST_PROXY: "127.0.0.1" });
    const { identityUrl, clientId, clientSecret } = proxied.sandbox;
    const operatorOfProxied = await openOperator(proxied);
    const innocent = await foundOrganization(operatorOfProxied, proxied);
    await operatorOfProxied.close();
    const [attacker, victim] = ["203.0.113.66", "203.0.113.7"];

    const stopped = await guessUntilStopped(identityUrl, clientId, () => attacker);
    expect(stopped.headers.get("retry-after")).toMatch(/^[1-9]\d*$/);
    expect(stopped.body).toStrictEqual({
      error: expect.any(String),
      error_description: expect.any(String),
    });

    const statusOf = async (address: string, authorization: string) =>
      (await attempt(identityUrl, address, authorization)).status;
    const good = basic(clientId, clientSecret);
    expect(await statusOf(victim, good), "the client itself, elsewhere").toBe(200);
    expect(await statusOf(attacker, basic(innocent.clientId, innocent.clientSecret))).toBe(200);
    expect(await statusOf(attacker, good), "even the right guess comes too late").toBe(429);
    await proxied.stop();
  });

  test("and an address that the client makes up does not count", async () => {
    const { identityUrl } = service.sandbox;
    const stopped = await guessUntilStopped(identityUrl, "cli_guessed", (i) => `203.0.113.${i}`);
    expect(stopped.status).toBe(429);
  });
});
