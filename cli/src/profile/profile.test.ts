import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { florinCommand } from "../project.ts";
import { nextCommand, readProfile } from "./profile.ts";

const sandbox = {
  apiUrl: "http://127.0.0.1:4000/",
  identityUrl: "http://127.0.0.1:4001",
  clientId: "cli_1",
  clientSecret: "a-secret",
  uniqueKey: "a-key",
  webhookSecret: "whsec_x",
  dashboard: { password: "p" },
};

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "florin-profile-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function write(name: string, content: unknown): string {
  const path = join(folder, name);
  writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content));
  return path;
}

test("the sandbox's own file, unless something else is said", () => {
  const source = write("sandbox.json", sandbox);
  const { dashboard: _, ...known } = sandbox;
  const expected = { ...known, apiUrl: "http://127.0.0.1:4000", source };
  expect(readProfile({ FLORIN_DATA_DIR: folder })).toEqual(expected);
});

test("addresses of the environment go with the sandbox's credentials", () => {
  write("sandbox.json", sandbox);
  const env = { FLORIN_DATA_DIR: folder, FLORIN_API_URL: "https://api.example.com" };
  expect(readProfile(env)).toMatchObject({ apiUrl: "https://api.example.com", clientId: "cli_1" });
});

test("the API's address may be the one that a start prints, with the path that all calls have", () => {
  write("sandbox.json", sandbox);
  const env = { FLORIN_DATA_DIR: folder, FLORIN_API_URL: "https://api.example.com/api/v1" };
  expect(readProfile(env)).toMatchObject({ apiUrl: "https://api.example.com" });
});

test("an address of the environment that is none is not blamed on the sandbox's file", () => {
  write("sandbox.json", sandbox);
  const env = { FLORIN_DATA_DIR: folder, FLORIN_API_URL: "api.example.com" };
  expect(() => readProfile(env)).toThrow(
    "FLORIN_API_URL has an address that is none: api.example.com",
  );
});

test.each<[NodeJS.ProcessEnv, string | undefined, string]>([
  [{}, undefined, florinCommand],
  [{ FLORIN_DATA_DIR: ".florin" }, undefined, florinCommand],
  [
    { FLORIN_DATA_DIR: "/srv/my florin" },
    undefined,
    `FLORIN_DATA_DIR='/srv/my florin' ${florinCommand}`,
  ],
  [{ FLORIN_DATA_DIR: "/srv/florin", FLORIN_CLIENT_ID: "cli_2" }, undefined, florinCommand],
  [{ FLORIN_DATA_DIR: "/srv/florin" }, "Ada's.json", `${florinCommand} --profile 'Ada'\\''s.json'`],
])("what follows a command with %j and --profile %s is typed as %s", (env, file, typed) => {
  expect(nextCommand(env, file)).toBe(typed);
});

test("a client of the environment takes nothing from the sandbox", () => {
  write("sandbox.json", sandbox);
  const env = { FLORIN_DATA_DIR: folder, FLORIN_CLIENT_ID: "cli_2", FLORIN_CLIENT_SECRET: "s" };
  expect(() => readProfile(env)).toThrow("the environment lacks FLORIN_UNIQUE_KEY.");
  expect(readProfile({ ...env, FLORIN_UNIQUE_KEY: "k" })).toEqual({
    clientId: "cli_2",
    clientSecret: "s",
    uniqueKey: "k",
    apiUrl: "http://127.0.0.1:4000",
    identityUrl: "http://127.0.0.1:4001",
    source: "the environment",
  });
});

test("a file that is named wins over everything", () => {
  const file = write("other.json", { ...sandbox, clientId: "cli_3" });
  expect(readProfile({ FLORIN_CLIENT_ID: "cli_2" }, file)).toMatchObject({ clientId: "cli_3" });
});

test.each([
  ['{"clientSecret": "a-secret"', /is not JSON\.$/],
  [{ ...sandbox, uniqueKey: undefined }, /lacks uniqueKey\.$/],
  [{ ...sandbox, clientId: "" }, /lacks clientId\.$/],
  [{ ...sandbox, apiUrl: "127.0.0.1:4000" }, /an address that is none: 127\.0\.0\.1:4000$/],
  ["[]", /lacks clientId/],
  ["1", /is no profile/],
])("a bad file is explained without what stands in it: %j", (content, why) => {
  const file = write("bad.json", content);
  let message = "";
  try {
    readProfile({}, file);
  } catch (error) {
    message = (error as Error).message;
  }
  expect(message).toMatch(why);
  expect(message).not.toContain("a-secret");
});
