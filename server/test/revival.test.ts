import { readFileSync, renameSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { expectRefusal, verdict } from "./harness/answers.ts";
import { newReference } from "./harness/api-client.ts";
import { eventually, until } from "./harness/eventually.ts";
import {
  cleanUp,
  florin,
  newDataDir,
  quietEnvironment,
  startServiceProcess,
} from "./harness/process.ts";

afterEach(cleanUp);

test("a service whose database ends answers 503/150 until it can be started, then goes on by itself", async () => {
  const dataDir = newDataDir();
  const environment = { ...quietEnvironment(dataDir), FLORIN_LOG_LEVEL: "info" };
  const service = await startServiceProcess(environment);
  const { client } = service;
  const inCluster = (...path: string[]) => join(dataDir, "postgres", ...path);
  const deposit = (reference: string, amount = 1) =>
    client.post("/simulator/wallets/deposits", { currency: "USD", amount }, { reference });
  const statusOf = async (path: string) => (await fetch(service.sandbox.apiUrl + path)).status;
  const before = newReference();
  expect(verdict(await deposit(before))).toBe("200/000");

  // Without that file it cannot be started, as on a full disk.
  renameSync(inCluster("global", "pg_control"), inCluster("pg_control"));
  process.kill(Number.parseInt(readFileSync(inCluster("postmaster.pid"), "utf8"), 10), "SIGKILL");
  const meanwhile = newReference();
  const refusal = await eventually("the database is missed", async () => {
    const answer = await deposit(meanwhile, 2);
    return answer.status === 200 ? undefined : answer;
  });
  expectRefusal(refusal, "503/150");
  expect(refusal.body.finality).toBe("Indeterminate");
  expect(await statusOf("/healthz")).toBe(200);
  await until("it is not ready", async () => (await statusOf("/readyz")) === 503);
  await until("the reason is told", () => /did not start.*pg_control/.test(service.stdout));

  renameSync(inCluster("pg_control"), inCluster("global", "pg_control"));
  await until("it is ready again", async () => (await statusOf("/readyz")) === 200);
  await until("the deposit is answered", async () =>
    ["200/000", "400/139"].includes(verdict(await deposit(meanwhile, 2))),
  );
  expect(verdict(await deposit(before))).toBe("400/139");
  expect((await client.get("/wallets")).body.data[0].balance).toBe(100_003);
  await until("its return is told", () => service.stdout.includes("database runs again"));
  expect(await florin(["audit"], environment)).toMatchObject({ code: 0, stderr: "" });
});
