import {
  chmodSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { isAbsolute, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { writeCredentialsFile } from "./credentials-file.ts";

const addresses = { api: "http://a", identity: "http://i", dashboard: "http://d" };
const credentials = {
  clientId: "cli_1",
  clientSecret: "secret",
  uniqueKey: "unique",
  webhookSecret: "whsec_x",
  dashboard: { email: "e", password: "p", totpSecret: "t" },
};

let parent: string;
beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), "florin-file-"));
});
afterEach(() => rmSync(parent, { recursive: true, force: true }));

const modeOf = (path: string): number => statSync(path).mode & 0o777;

test("the file holds what a developer needs, readable by its owner only", () => {
  const path = writeCredentialsFile(join(parent, "data"), addresses, credentials);
  expect(isAbsolute(path)).toBe(true);
  expect(path).toBe(join(parent, "data", "sandbox.json"));
  expect(modeOf(path)).toBe(0o600);
  expect(JSON.parse(readFileSync(path, "utf8"))).toEqual({
    apiUrl: "http://a",
    identityUrl: "http://i",
    dashboardUrl: "http://d",
    ...credentials,
  });
});

test("an older file is replaced whole, with its permissions, and nothing else is left lying", () => {
  const path = join(parent, "sandbox.json");
  writeFileSync(path, "x".repeat(10_000));
  chmodSync(path, 0o644);
  writeCredentialsFile(parent, addresses, credentials);
  expect(JSON.parse(readFileSync(path, "utf8"))).toMatchObject({ clientId: "cli_1" });
  expect(modeOf(path)).toBe(0o600);
  expect(readdirSync(parent)).toEqual(["sandbox.json"]);
});

test("a careless umask does not open it to others", () => {
  const umask = process.umask(0);
  try {
    expect(modeOf(writeCredentialsFile(parent, addresses, credentials))).toBe(0o600);
  } finally {
    process.umask(umask);
  }
});
