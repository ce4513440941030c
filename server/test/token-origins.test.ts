import { afterAll, beforeAll, expect, test } from "vitest";
import type { ApiAnswer } from "./harness/api-client.ts";
import { sendRaw } from "./harness/raw-http.ts";
import { startTestService, type TestService } from "./harness/service.ts";

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

/** The page may be open by either name of this machine. */
const pages = (): string[] => {
  const { origin } = new URL(service.sandbox.apiUrl);
  return [origin, origin.replace("127.0.0.1", "localhost")];
};

const send = (method: string, headers: [string, string][], body?: string): Promise<ApiAnswer> =>
  sendRaw(service.sandbox.identityUrl, {
    method,
    target: "/connect/token",
    headers,
    ...(body === undefined ? {} : { body }),
  });

const WANTED: [string, string] = ["Access-Control-Request-Method", "POST"];

const requestToken = (origin: string): Promise<ApiAnswer> => {
  const { clientId, clientSecret } = service.sandbox;
  const credentials = Buffer.from(`${clientId}:${clientSecret}`).toString("base64");
  return send(
    "POST",
    [
      ["Origin", origin],
      ["Authorization", `Basic ${credentials}`],
      ["Content-Type", "application/x-www-form-urlencoded"],
    ],
    "grant_type=client_credentials",
  );
};

test("the reference page may ask for a token, and read it", async () => {
  for (const origin of pages()) {
    const asked = await send("OPTIONS", [["Origin", origin], WANTED]);
    expect(asked.status).toBe(204);
    expect(Object.fromEntries(asked.headers)).toMatchObject({
      "access-control-allow-origin": origin,
      "access-control-allow-methods": "POST",
      "access-control-allow-headers": "authorization",
      vary: "Origin",
    });
    const answer = await requestToken(origin);
    expect(answer.body).toMatchObject({ access_token: expect.any(String) });
    expect(answer.headers.get("access-control-allow-origin")).toBe(origin);
  }
});

test("OPTIONS that is no question of a browser is another method", async () => {
  const [origin = ""] = pages();
  const answer = await send("OPTIONS", [["Origin", origin]]);
  expect([answer.status, answer.headers.get("allow")]).toEqual([405, "POST"]);
});

test("pages of others may not, and what they are sent they cannot read", async () => {
  const { identityUrl, dashboardUrl } = service.sandbox;
  for (const origin of ["https://evil.example", identityUrl, dashboardUrl, "null"]) {
    const asked = await send("OPTIONS", [["Origin", origin], WANTED]);
    expect(asked.status, origin).toBe(405);
    for (const { headers } of [asked, await requestToken(origin)]) {
      expect(headers.get("access-control-allow-origin"), origin).toBeNull();
    }
  }
});
