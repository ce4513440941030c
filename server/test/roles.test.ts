import { afterAll, beforeAll, expect, test } from "vitest";
import { createLog } from "../src/foundation/log.ts";
import { type Service, startService } from "../src/service.ts";
import { readSetup } from "../src/setup.ts";
import { verdict } from "./harness/answers.ts";
import { passport, statusOf, untilStatus, verifyIndividual } from "./harness/kyc.ts";
import { freePort } from "./harness/process.ts";
import { Receiver } from "./harness/receiver.ts";
import { startTestService, type TestService } from "./harness/service.ts";

const NOWHERE = "http://127.0.0.1:1";

interface Refused {
  responseCode: string;
}

let front: TestService;
let worker: Service | undefined;
let workerPort: number;
let receiver: Receiver;

beforeAll(async () => {
  workerPort = await freePort();
  receiver = await Receiver.open();
  front = await startTestService({
    FLORIN_ROLES: "identity, api",
    FLORIN_DASHBOARD_URL: NOWHERE,
    FLORIN_SANDBOX_KYC_DELAY_MS: "0",
  });
});
afterAll(async () => {
  await worker?.stop();
  await front.stop();
  await receiver.goDown();
});

/** From the first that needs it. */
async function haveWorker(): Promise<void> {
  if (worker !== undefined) return;
  const setup = await readSetup({
    ...front.environment,
    FLORIN_ROLES: "worker",
    FLORIN_API_PORT: String(workerPort),
    FLORIN_API_URL: front.sandbox.apiUrl,
    FLORIN_IDENTITY_URL: front.sandbox.identityUrl,
  });
  worker = await startService(setup, createLog({ level: "silent" }));
}

test("a process without a role has no listener for it, and knows where it is all the same", async () => {
  expect(front.networkAddress).toBe("");
  expect(front.sandbox).toMatchObject({ dashboardUrl: NOWHERE });
});

test("what happens in the background waits for a worker; events are in the feed at once", async () => {
  const { client } = front;
  expect(verdict(await client.post("/webhook-endpoints", { url: receiver.url }))).toBe("200/000");
  const submitted = await verifyIndividual(client, passport());
  expect(verdict(submitted)).toBe("200/000");
  const { kycToken } = submitted.body.data;
  const deposit = { currency: "USD", amount: 5 };
  expect(verdict(await client.post("/simulator/wallets/deposits", deposit))).toBe("200/000");

  const feed = (await client.get("/events?order=asc")).body.data;
  expect(feed.at(-1)).toMatchObject({ eventType: "wallet.deposited" });
  expect((await statusOf(client, kycToken)).body.data.status).toBe("Initiated");
  expect(receiver.received).toEqual([]);

  await haveWorker();
  await untilStatus(client, kycToken, "Approved");
  const told = await receiver.until(4);
  expect(told.map(({ body }) => body.eventType).toSorted()).toEqual([
    "kyc.approved",
    "kyc.initiated",
    "kyc.pending",
    "wallet.deposited",
  ]);
  const metrics = async () => (await fetch(`http://127.0.0.1:${workerPort}/metrics`)).text();
  await expect.poll(metrics).toContain('florin_webhook_endpoints{state="healthy"} 1\n');
});

test("a worker says how it does, and serves nothing else", async () => {
  await haveWorker();
  const at = (path: string, headers: Record<string, string> = {}) =>
    fetch(`http://127.0.0.1:${workerPort}${path}`, { headers });
  expect((await at("/healthz")).status).toBe(200);
  expect((await at("/readyz")).status).toBe(200);
  expect(await (await at("/metrics")).text()).toContain("florin_webhook");
  expect((await at("/docs")).status).toBe(404);
  const signed = await front.client.headers("GET", `${front.sandbox.apiUrl}/api/v1/wallets`);
  const { responseCode } = (await (await at("/api/v1/wallets", signed)).json()) as Refused;
  expect(responseCode).toBe("157");
});
