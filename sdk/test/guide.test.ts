import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Florin } from "@florin/sdk";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { freePort } from "../../server/test/harness/process.ts";
import { startTestService, type TestService } from "../../server/test/harness/service.ts";
import { programs } from "./harness/programs.ts";

let service: TestService;
let folder: string;
beforeAll(async () => {
  service = await startTestService();
  vi.stubEnv("FLORIN_DATA_DIR", service.dataDir);
  vi.stubEnv("PORT", String(await freePort()));
  // Beside the SDK, so that the programs find it by its name.
  const parent = fileURLToPath(new URL("../dist/", import.meta.url));
  mkdirSync(parent, { recursive: true });
  folder = mkdtempSync(join(parent, ".guide-"));
});
afterAll(async () => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true });
  await service.stop();
});
afterEach(() => vi.restoreAllMocks());

test("there are programs", () => {
  expect(programs.length).toBeGreaterThan(5);
});

test.each(programs)("%s", async (heading, program) => {
  const said = vi.spyOn(console, "log").mockReturnValue();
  const written = vi.spyOn(process.stdout, "write").mockReturnValue(true);
  const path = join(folder, `${heading.replaceAll(/\W/g, "-")}.mjs`);
  writeFileSync(path, program);
  await import(path);
  expect(said.mock.calls.length + written.mock.calls.length).toBeGreaterThan(0);
});

test("what they did is there", async () => {
  const florin = new Florin(service.sandbox);
  const [card] = await florin.cards.list().toArray(1);
  expect(card).toMatchObject({ status: "Active", balance: 75 });
});
