import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { closeSync, constants, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { verdict } from "./harness/answers.ts";
import { emptyDatabase } from "./harness/empty-database.ts";
import { until } from "./harness/eventually.ts";
import {
  cleanUp,
  freePort,
  newDataDir,
  type Program,
  projectRoot,
  quietEnvironment,
  type ServiceProcess,
  start,
  untilReady,
} from "./harness/process.ts";
import { PUBLIC_API_URL, PUBLIC_DASHBOARD_URL, PUBLIC_IDENTITY_URL } from "./harness/production.ts";
import { absentSumsub } from "./harness/sumsub.ts";

afterAll(cleanUp);

/** Launches a service that logs every answer, to a file of any kind. */
function launchLoggingTo(path: string, environment: Record<string, string>): Program {
  const main = join(projectRoot, "server", "dist", "main.js");
  const script = `exec '${process.execPath}' '${main}' > '${path}'`;
  return start("sh", ["-c", script], { ...environment, FLORIN_LOG_LEVEL: "info" });
}

function startLoggingTo(path: string, dataDir: string): Promise<ServiceProcess> {
  const environment = quietEnvironment(dataDir);
  return untilReady(launchLoggingTo(path, environment), environment);
}

/** A pipe that nobody reads. */
function newPipe(dataDir: string): { path: string; fd: number } {
  const path = join(dataDir, "pipe");
  execFileSync("mkfifo", [path]);
  return { path, fd: openSync(path, constants.O_RDWR | constants.O_NONBLOCK) };
}

async function useMuch({ client }: ServiceProcess): Promise<void> {
  for (let i = 0; i < 100; i++) expect(verdict(await client.get("/wallets"))).toBe("200/000");
}

test("a log on a full disk ends nothing, and holds no stop up", async () => {
  const service = await startLoggingTo("/dev/full", newDataDir());
  await useMuch(service);
  service.kill("SIGTERM");
  expect(await service.exited).toEqual({ code: 0, signal: null });
  expect(service.stderr).toBe("");
});

test("a log that nobody reads ends nothing, and holds no stop up", async () => {
  const dataDir = newDataDir();
  const pipe = newPipe(dataDir);
  const service = await startLoggingTo(pipe.path, dataDir);
  fill(pipe.fd);
  await useMuch(service);
  service.kill("SIGTERM");
  await service.exited;
  closeSync(pipe.fd);
  expect(service.stderr).toBe("");
});

test("nor does it in production, where the system keeps the write itself waiting", async () => {
  const database = await emptyDatabase();
  const dataDir = newDataDir();
  const pipe = newPipe(dataDir);
  const apiPort = String(await freePort());
  const program = launchLoggingTo(pipe.path, {
    ...quietEnvironment(dataDir),
    FLORIN_ENV: "production",
    FLORIN_DATABASE_URL: database.url,
    FLORIN_MASTER_KEY: randomBytes(32).toString("base64"),
    FLORIN_API_PORT: apiPort,
    FLORIN_API_URL: PUBLIC_API_URL,
    FLORIN_IDENTITY_URL: PUBLIC_IDENTITY_URL,
    FLORIN_DASHBOARD_URL: PUBLIC_DASHBOARD_URL,
    FLORIN_TRUST_PROXY: "127.0.0.1",
    ...absentSumsub,
  });
  fill(pipe.fd);
  const readiness = `http://127.0.0.1:${apiPort}/readyz`;
  await until("it runs", async () => (await fetch(readiness).catch(() => undefined))?.ok === true);
  program.kill("SIGTERM");
  await program.exited;
  closeSync(pipe.fd);
  await database.drop();
  expect(program.stderr).toBe("");
});

function fill(pipe: number): void {
  try {
    for (;;) writeSync(pipe, Buffer.alloc(4_096));
  } catch (error) {
    expect(error).toMatchObject({ code: "EAGAIN" });
  }
}
