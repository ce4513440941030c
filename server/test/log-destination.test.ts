import { execFileSync } from "node:child_process";
import { closeSync, constants, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { verdict } from "./harness/answers.ts";
import {
  cleanUp,
  newDataDir,
  projectRoot,
  quietEnvironment,
  type ServiceProcess,
  start,
  untilReady,
} from "./harness/process.ts";

afterAll(cleanUp);

/** A service that logs every answer, to a file of any kind. */
function startLoggingTo(path: string, dataDir: string): Promise<ServiceProcess> {
  const environment = { ...quietEnvironment(dataDir), FLORIN_LOG_LEVEL: "info" };
  const main = join(projectRoot, "server", "dist", "main.js");
  const script = `exec '${process.execPath}' '${main}' > '${path}'`;
  return untilReady(start("sh", ["-c", script], environment), environment);
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
  const path = join(dataDir, "pipe");
  execFileSync("mkfifo", [path]);
  const pipe = openSync(path, constants.O_RDWR | constants.O_NONBLOCK);
  const service = await startLoggingTo(path, dataDir);
  fill(pipe);
  await useMuch(service);
  service.kill("SIGTERM");
  await service.exited;
  closeSync(pipe);
  expect(service.stderr).toBe("");
});

function fill(pipe: number): void {
  try {
    for (;;) writeSync(pipe, Buffer.alloc(4_096));
  } catch (error) {
    expect(error).toMatchObject({ code: "EAGAIN" });
  }
}
