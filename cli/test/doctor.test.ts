import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { Receiver } from "../../server/test/harness/receiver.ts";
import type { TestService } from "../../server/test/harness/service.ts";
import { type Ended, florin } from "./harness/command.ts";
import { served } from "./harness/served.ts";

let service: TestService;
const { run, json } = served((opened) => {
  service = opened;
});

const doctor = (...args: string[]): Promise<Ended> => run("doctor", ...args);

test("it finds nothing wrong with a sandbox", async () => {
  const findings = await json("doctor");
  expect(findings.filter(({ result }: { result: string }) => result !== "ok")).toEqual([]);
  expect(findings.map(({ what }: { what: string }) => what)).toContain("signed request");
});

test("it finds endpoints and receivers that do not work", async () => {
  const receiver = await Receiver.open();
  const refusing = await Receiver.open();
  refusing.answerWith(500);
  const add = async (url: string): Promise<string> =>
    (await service.client.post("/webhook-endpoints", { url })).body.data.webhookEndpointId;
  const ids = [await add(receiver.url), await add(refusing.url), await add("http://127.0.0.1:9/")];
  const [, , disabled] = ids;
  await service.client.call("PATCH", `/webhook-endpoints/${disabled}`, {
    body: { status: "Disabled" },
  });
  const { code, stdout } = await doctor("--receiver", `${service.sandbox.apiUrl}/healthz`);
  expect(code).toBe(1);
  expect(stdout).toContain(`${receiver.url} answers 200 to a test`);
  expect(stdout).toMatch(/✗ webhooks +\S+ does not accept a test: .*500/);
  expect(stdout).toMatch(
    new RegExp(`✗ webhooks +\\S+ is disabled\n +Mend it, then: .*${disabled}`),
  );
  expect(stdout).toMatch(/✓ receiver +\S+ answers 200/);
  for (const id of ids) await service.client.call("DELETE", `/webhook-endpoints/${id}`);
  await refusing.goDown();
  await receiver.goDown();
  const gone = await doctor("--receiver", receiver.url);
  expect(gone.code).toBe(1);
  expect(gone.stdout).toMatch(/✗ receiver +\S+ does not answer/);
});

test("it tells where the sandbox's clock stands", async () => {
  await run("simulate", "clock", "3", "days");
  const { stdout } = await doctor();
  expect(stdout).toMatch(/✓ sandbox's clock +was moved and stands at 20.*, 3 days ahead\n/);
});

test.each([
  ["unavailable", /✗ database +the service cannot use its database\n.*PostgreSQL/],
  ["outdated", /✗ database +a newer Florin has migrated it\n.*that version/],
])("it finds why a service is not ready: %s", async (status, expected) => {
  const sick = createServer((_request, response) =>
    response.writeHead(503).end(JSON.stringify({ status })),
  );
  await once(sick.listen(0, "127.0.0.1"), "listening");
  const url = `http://127.0.0.1:${(sick.address() as AddressInfo).port}`;
  const { code, stdout } = await florin(["doctor"], {
    ...service.environment,
    FLORIN_API_URL: url,
  });
  sick.close();
  expect(code).toBe(1);
  expect(stdout).toMatch(expected);
});

test.each([
  [{ FLORIN_CLIENT_SECRET: "wrong" }, "token"],
  [{ FLORIN_UNIQUE_KEY: "wrong" }, "signed request"],
])("it finds which credential is wrong: %j", async (wrong, what) => {
  const { clientId, clientSecret, uniqueKey, apiUrl, identityUrl } = service.sandbox;
  const { code, stdout } = await florin(["doctor"], {
    FLORIN_CLIENT_ID: clientId,
    FLORIN_CLIENT_SECRET: clientSecret,
    FLORIN_UNIQUE_KEY: uniqueKey,
    FLORIN_API_URL: apiUrl,
    FLORIN_IDENTITY_URL: identityUrl,
    ...wrong,
  });
  expect(code).toBe(1);
  expect(stdout).toMatch(new RegExp(`✗ ${what} `));
});
