import { describe, expect, test } from "vitest";
import { start } from "../../server/test/harness/process.ts";
import type { TestService } from "../../server/test/harness/service.ts";
import { served } from "./harness/served.ts";

let service: TestService;
const { run, json } = served((opened) => {
  service = opened;
});

/** What the service says to the line that is printed, as somebody pastes it into a shell. */
async function answerOfCurl(args: string[]): Promise<{ responseCode: string; errors?: object[] }> {
  return JSON.parse(await shownByCurl(args));
}

async function shownByCurl(args: string[]): Promise<string> {
  const { stdout } = await run(...args);
  const shell = start("bash", ["-c", stdout.slice(stdout.indexOf("\ncurl "))], {});
  await shell.exited;
  expect(shell.stderr).toBe("");
  return shell.stdout;
}

describe("sign", () => {
  test("prints headers that the service accepts", async () => {
    const { method, url, headers } = await json("sign", "get", "/cards?limit=2");
    const answer = await fetch(url, { method, headers });
    expect(answer.status).toBe(200);
    const { stdout } = await run("sign", "GET", "/wallets", "--no-token");
    expect(stdout).toMatch(
      /^curl -sS --globoff -X GET 'http[^$]*"Authorization: Bearer \$TOKEN" /m,
    );
    expect(stdout).not.toContain(service.sandbox.clientSecret);
  });

  test.each([
    "/customers?name=[a]{b,c}",
    '/customers?name=Zoë O\'Brien "$HOME" `x` \\ !x',
    "/customers?name=$TOKEN&limit=2#two",
    "/requests/'{a}[1-3]$TOKEN'?",
    "/customers/../cards?limit=1",
  ])("prints a curl line that works in a shell: %s", async (path) => {
    expect(await answerOfCurl(["sign", "GET", path])).toMatchObject({ responseCode: "000" });
  });

  test("a shell sends the body as it was typed", async () => {
    const body = `{ "url": "@a'b $TOKEN" }`;
    const { errors } = await answerOfCurl(["sign", "post", "/webhook-endpoints", "--body", body]);
    expect(errors).toEqual([expect.objectContaining({ field: "url" })]);
    const file = ["sign", "post", "/webhook-endpoints", "--body", "@/etc/hostname"];
    expect(await answerOfCurl(file)).toMatchObject({ responseCode: "131" });
  });

  test("of HEAD, prints a curl line that waits for no body, and sends none", async () => {
    // The service has no call with HEAD, and says so.
    expect(await shownByCurl(["sign", "head", "/wallets"])).toMatch(/^HTTP\/1\.1 404 /);
    const { code, stderr } = await run("sign", "HEAD", "/wallets", "--body", "{}");
    expect({ code, stderr }).toEqual({ code: 2, stderr: "curl sends no body with HEAD.\n" });
  });

  test("gives no token away to an address that is not the service's", async () => {
    const { code, stdout, stderr } = await run("sign", "GET", "https://example.com/api/v1/wallets");
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: "https://example.com is not the service's address: the token is left out.\n",
    });
    expect(stdout).toMatch(/^Authorization +Bearer \$TOKEN$/m);
    const { apiUrl, identityUrl } = service.sandbox;
    for (const own of [`${apiUrl}/api/v1/wallets`, `${identityUrl}/connect/token`]) {
      const { headers } = await json("sign", "GET", own);
      expect(headers.Authorization).toMatch(/^Bearer (?!\$TOKEN)/);
    }
  });

  test("of an address that a client tells, nothing is spelled anew but what nobody can send", async () => {
    const { sandbox, client } = service;
    const checked = (told: string, sent: string) => {
      const given = client.sign("GET", `${sandbox.apiUrl}/api/v1${sent}`, "r1");
      return json("sign", "GET", told, "--reference", "r1", "--check", given);
    };
    const raw = "/customers?name={O'Brien}";
    expect(await checked(`${raw}#top`, raw)).toMatchObject({ isGood: true });
    expect(await checked("/customers?name=Zoë B", "/customers?name=Zo%C3%AB%20B")).toMatchObject({
      isGood: true,
    });
  });

  test("explains a refused signature", async () => {
    const { sandbox, client } = service;
    const wrong = client.sign("get", `${sandbox.apiUrl}/api/v1/wallets`, "r1");
    const check = ["sign", "GET", "/wallets", "--reference", "r1", "--check", wrong];
    const { code, stdout } = await run(...check);
    expect(code).toBe(1);
    expect(stdout).toMatch(/✗ The method was signed in lower case/);
    expect(stdout).toContain(client.sign("GET", `${sandbox.apiUrl}/api/v1/wallets`, "r1"));
    expect(stdout).not.toContain(sandbox.clientSecret);
  });

  test("says of a good signature that it is good, and asks for the Reference", async () => {
    const { sandbox, client } = service;
    const good = client.sign("GET", `${sandbox.apiUrl}/api/v1/wallets`, "r1");
    const check = ["sign", "GET", "/wallets", "--check", good];
    const { code, stdout } = await run(...check, "--reference", "r1");
    expect({ code, isGood: stdout.startsWith("✓ ") }).toEqual({ code: 0, isGood: true });
    const told = await json(...check, "--reference", "r1");
    expect(told).toMatchObject({ isGood: true, given: good, expected: good });
    const without = await run(...check);
    expect(without.code).toBe(2);
    expect(without.stderr).toMatch(/--check needs the --reference/);
  });
});
