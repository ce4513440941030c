import { afterAll, beforeAll, expect, test } from "vitest";
import { becomes } from "./harness/answers.ts";
import { type ApiAnswer, newReference } from "./harness/api-client.ts";
import { exchangeBytes, sendRaw, sendSigned } from "./harness/raw-http.ts";
import { startTestService, type TestService } from "./harness/service.ts";

const lines: string[] = [];
let service: TestService;
beforeAll(async () => {
  const log = { write: (line: string) => void lines.push(line) };
  service = await startTestService({ FLORIN_LOG_LEVEL: "trace" }, { log });
});
afterAll(() => service.stop());

const DEPOSITS = "/simulator/wallets/deposits";

test("no secret reaches a log line, whatever happens to requests that carry it", async () => {
  const { client, sandbox } = service;
  const token = await client.token();
  const reference = newReference();
  const signature = client.sign("GET", `${sandbox.apiUrl}/api/v1/wallets`, reference);
  const basic = Buffer.from(`${sandbox.clientId}:${sandbox.clientSecret}`).toString("base64");
  const secrets = {
    clientSecret: sandbox.clientSecret,
    uniqueKey: sandbox.uniqueKey,
    webhookSecret: sandbox.webhookSecret,
    "the webhook secret's key": sandbox.webhookSecret.replace("whsec_", ""),
    "the dashboard's password": sandbox.dashboard.password,
    "the dashboard's TOTP secret": sandbox.dashboard.totpSecret,
    "the access token": token,
    "the access token's claims": token.split(".")[1] ?? "",
    "the access token's signature": token.split(".")[2] ?? "",
    "the credentials of the token request": basic,
    "the signature of a call": signature,
    "the database's password": new URL(service.databaseUrl).password,
  };

  const answers = await sendGoodAndBad({ token, reference, signature, basic });

  // The log is there, and it is about these requests.
  const unlogged = async () =>
    answers.filter(({ body }) => !lines.join("").includes(body.requestId)).length;
  await becomes(unlogged, 0);
  expect(lines.join("")).toContain(reference);
  expect(lines.every((line) => typeof JSON.parse(line) === "object")).toBe(true);
  for (const [name, secret] of Object.entries(secrets)) {
    expect(secret.length, name).toBeGreaterThan(8);
    const leaks = lines.filter((line) => line.includes(secret));
    expect(leaks, name).toEqual([]);
  }
});

/** Secrets where they belong, and where people put them by mistake. */
async function sendGoodAndBad({
  token,
  reference,
  signature,
  basic,
}: Record<"token" | "reference" | "signature" | "basic", string>): Promise<ApiAnswer[]> {
  const { client, sandbox } = service;
  const { apiUrl, identityUrl, clientSecret, uniqueKey, webhookSecret, dashboard } = sandbox;
  const answers = [
    await client.get("/wallets", { reference }),
    await client.get("/wallets", { reference }),
    await client.post(DEPOSITS, { currency: "USD", amount: 1 }),
    await client.get("/wallets", { headers: { Signature: "wrong" } }),
    await client.get("/wallets", { headers: { UniqueKey: "wrong" } }),
    await client.get("/wallets", { headers: { Authorization: `Bearer ${token}x` } }),
    await client.get("/wallets", { headers: { Authorization: `Basic ${basic}` } }),
    await client.get("/wallets", { headers: { Reference: uniqueKey } }),
    await client.get("/wallets", { headers: { Reference: signature } }),
    await client.get(`/requests/${clientSecret}`),
    await client.get(`/${clientSecret}/${token}`),
    await client.get(`/wallets?access_token=${token}&key=${uniqueKey}&s=${clientSecret}`),
    await client.post(DEPOSITS, { currency: clientSecret, amount: 1, [uniqueKey]: webhookSecret }),
    await client.post(DEPOSITS, `{"password":"${dashboard.password}"`),
    await client.post(DEPOSITS, `${dashboard.totpSecret}${webhookSecret}`),
    await sendRaw(apiUrl, { method: "GET", target: `/api/v1/wallets?token=${token}` }),
  ];
  await sendSigned(client, "GET", `/%zz${clientSecret}`);
  await client.requestToken({ scope: clientSecret });
  await client.requestToken({ grant_type: clientSecret, client_secret: clientSecret });
  await client.requestToken({}, { Authorization: `Bearer ${token}` });
  await client.requestToken({}, { Authorization: `Basic ${basic}AA` });
  await fetch(`${identityUrl}/connect/token?client_secret=${clientSecret}`);
  await fetch(`${identityUrl}/${clientSecret}`);
  await sendRaw(identityUrl, { method: "POST", target: `/%zz${clientSecret}` });
  await exchangeBytes(apiUrl, `${clientSecret} ${token}\r\n\r\n`);
  await exchangeBytes(identityUrl, `POST / HTTP/1.1\r\nHost: x\r\nAuthorization ${basic}\r\n\r\n`);
  return answers;
}
