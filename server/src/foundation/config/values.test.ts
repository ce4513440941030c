import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { readConfig } from "./config.ts";
import { configKeys } from "./table.ts";
import { givenFor } from "./values.ts";

const directory = mkdtempSync(join(tmpdir(), "florin-config-"));
afterAll(() => rmSync(directory, { recursive: true }));

function write(text: string): string {
  const path = join(directory, randomUUID());
  writeFileSync(path, text);
  return path;
}

const URL_1 = "postgres://florin:secret@db/florin";
const given = (environment: Record<string, string>) =>
  givenFor(configKeys.databaseUrl, environment);

test.each([{}, { FLORIN_DATABASE_URL: " " }, { FLORIN_DATABASE_URL_FILE: "" }])(
  "%j gives nothing",
  (environment) => expect(given(environment)).toBeUndefined(),
);

test("what is given is taken without the white space around it, in a file as in the environment", () => {
  expect(given({ FLORIN_DATABASE_URL: ` ${URL_1} ` })).toBe(URL_1);
  expect(given({ FLORIN_DATABASE_URL_FILE: write(`${URL_1}\n`) })).toBe(URL_1);
});

test("a secret in a file is the configuration's, and checked as in the environment", () => {
  expect(readConfig({ FLORIN_DATABASE_URL_FILE: write(URL_1) }).databaseUrl).toBe(URL_1);
  expect(() => readConfig({ FLORIN_DATABASE_URL_FILE: write("mysql://db") })).toThrow(
    "FLORIN_DATABASE_URL must be an address",
  );
});

test.each([
  ["not there", () => "/nowhere", "is in a file that cannot be read: /nowhere (ENOENT)"],
  ["a directory", () => directory, "is in a file that cannot be read: "],
  ["empty", () => write(" \n"), "is in a file that is empty: "],
])("a file that is %s is a problem, and no default takes its place", (_which, file, problem) => {
  expect(() => given({ FLORIN_DATABASE_URL_FILE: file() })).toThrow(problem);
});

test("a secret in a file and in the environment is a contradiction, told without the secret", () => {
  const both = { FLORIN_DATABASE_URL: URL_1, FLORIN_DATABASE_URL_FILE: write(URL_1) };
  expect(() => given(both)).toThrow(/^and FLORIN_DATABASE_URL_FILE are both set$/);
});

test("of what is no secret there is no file", () => {
  expect(givenFor(configKeys.apiPort, { FLORIN_API_PORT_FILE: write("4000") })).toBeUndefined();
});
