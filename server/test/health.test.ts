import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { becomes, expectRefusal } from "./harness/answers.ts";
import { newReference } from "./harness/api-client.ts";
import { execute } from "./harness/empty-database.ts";
import { fillDisk, freeDisk } from "./harness/full-disk.ts";
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

test("whoever only asks whether something is there, with HEAD, is answered as for GET", async () => {
  const { apiUrl, dashboardUrl } = service.sandbox;
  const open = ["/healthz", "/readyz", "/metrics", "/openapi.json", "/docs", "/docs/guides/kyc"];
  for (const address of [...open.map((path) => apiUrl + path), `${dashboardUrl}/`]) {
    const got = await fetch(address);
    const head = await fetch(address, { method: "HEAD" });
    expect([head.status, head.headers.get("content-type")], address).toEqual([
      200,
      got.headers.get("content-type"),
    ]);
    expect(await head.text()).toBe("");
  }
});

/** For all connections: those that there are would keep what was set when they were opened. */
async function setReadOnly(setting: "on" | "off"): Promise<void> {
  const { url } = inject("testServer");
  const name = new URL(service.databaseUrl).pathname.slice(1);
  await execute(url, `alter database ${name} set default_transaction_read_only = ${setting}`);
  await execute(url, "select pg_terminate_backend(pid) from pg_stat_activity where datname = $1", [
    name,
  ]);
}

test("it is not ready while its database takes no writes, and again when it does", async () => {
  await setReadOnly("on");
  try {
    await becomes(() => statusOf("/readyz"), 503);
    // By now the connections that were lost have been replaced.
    await pause(500);
    expect(await statusOf("/readyz")).toBe(503);
    expect(await statusOf("/healthz")).toBe(200);
  } finally {
    await setReadOnly("off");
  }
  await becomes(() => statusOf("/readyz"), 200);
  // Every connection that was lost is noticed by whoever uses it next.
  await becomes(async () => (await service.client.get("/wallets")).status, 200);
});

test("it is not ready while its disk is full, and by itself again when there is room", async () => {
  const deposit = () =>
    service.client.post("/simulator/wallets/deposits", { currency: "USD", amount: 1 });
  await fillDisk(service.databaseUrl);
  expectRefusal(await deposit(), "503/150");
  await becomes(() => statusOf("/readyz"), 503);
  // What still finds room must not deceive it.
  expect((await service.client.get("/wallets")).status).toBe(200);
  await pause(500);
  expect(await statusOf("/readyz")).toBe(503);
  await freeDisk(service.databaseUrl);
  await becomes(() => statusOf("/readyz"), 200);
  expect((await deposit()).status).toBe(200);
});

test("it is not ready beside a newer version's schema, and says that it is that", async () => {
  const readiness = async () => {
    const answer = await fetch(`${service.sandbox.apiUrl}/readyz`);
    return [answer.status, await answer.json()];
  };
  expect(await readiness()).toEqual([200, { status: "ready" }]);
  await execute(
    service.databaseUrl,
    `insert into schema_migrations values ('9999_future.sql', 'x')`,
  );
  await becomes(readiness, [503, { status: "outdated" }]);
  expect(await statusOf("/healthz")).toBe(200);
  await execute(service.databaseUrl, "delete from schema_migrations where name ~ 'future'");
  await becomes(readiness, [200, { status: "ready" }]);
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
