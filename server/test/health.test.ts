import { afterAll, beforeAll, expect, test } from "vitest";
import { becomes } from "./harness/answers.ts";
import { newReference } from "./harness/api-client.ts";
import { startTestService, type TestService } from "./harness/service.ts";

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

const statusOf = async (path: string): Promise<number> =>
  (await fetch(service.sandbox.apiUrl + path)).status;

async function readMetric(pattern: RegExp): Promise<string | undefined> {
  const answer = await fetch(`${service.sandbox.apiUrl}/metrics`);
  expect(answer.headers.get("content-type")).toMatch(/^text\/plain; version=0\.0\.4/);
  return (await answer.text()).split("\n").find((text) => pattern.test(text));
}

test("the service is alive and ready, and says so to anyone", async () => {
  expect(await statusOf("/healthz")).toBe(200);
  expect(await statusOf("/readyz")).toBe(200);
});

test("requests are counted by route, status and responseCode", async () => {
  await service.client.get("/wallets");
  await service.client.get("/nowhere");
  const isCounted = async (pattern: RegExp) => (await readMetric(pattern)) !== undefined;
  await becomes(() => isCounted(/_seconds_count.*\/api\/v1\/wallets.*"200".*"000"/), true);
  await becomes(() => isCounted(/_seconds_count.*"404".*"157"/), true);
});

test("nobody can make metrics grow by calling paths that do not exist", async () => {
  const made = newReference();
  await service.client.get(`/${made}`);
  await service.client.get(`/requests/${made}`);
  await fetch(`${service.sandbox.apiUrl}/${made}`);
  await fetch(`${service.sandbox.identityUrl}/${made}`);
  expect(await readMetric(new RegExp(made))).toBeUndefined();
});
