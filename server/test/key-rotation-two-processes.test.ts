import { randomBytes } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { decodeProtectedHeader } from "jose";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createPool, type Pool } from "../src/db/pool.ts";
import { verdict } from "./harness/answers.ts";
import { runCommand } from "./harness/command.ts";
import { PUBLIC_API_URL, startTestProduction, type TestProduction } from "./harness/production.ts";
import { DatabaseProxy } from "./harness/proxy.ts";
import { sendRaw } from "./harness/raw-http.ts";
import { scratchDatabase } from "./harness/scratch.ts";

const masterKey = (id: string): string => `${id}:${randomBytes(32).toString("base64")}`;
const [OLD, NEW] = [masterKey("old"), masterKey("new")];

let database: Awaited<ReturnType<typeof scratchDatabase>>;
let pool: Pool;
let line: DatabaseProxy;
let prepared: TestProduction;
/** Has not been restarted with the new master key, and is far from the database. */
let forgotten: TestProduction;
beforeAll(async () => {
  database = await scratchDatabase();
  pool = createPool(database.url, 1);
  line = await DatabaseProxy.before(database.url);
  prepared = await startTestProduction({
    FLORIN_DATABASE_URL: database.url,
    FLORIN_MASTER_KEY: `${OLD},${NEW}`,
  });
  forgotten = await startTestProduction({
    FLORIN_DATABASE_URL: line.url,
    FLORIN_MASTER_KEY: OLD,
  });
});
afterAll(async () => {
  await pool.end();
  await prepared.stop();
  await line.close();
  await database.drop();
});

const rotate = (masterKeys: string) =>
  runCommand(["keys", "rotate"], {
    FLORIN_ENV: "production",
    FLORIN_DATABASE_URL: database.url,
    FLORIN_MASTER_KEY: masterKeys,
  });

const newToken = async (): Promise<string> =>
  (await prepared.client.requestToken()).body.access_token;

async function call({ apiOrigin }: TestProduction, token: string): Promise<string> {
  const target = "/api/v1/wallets";
  const headers = await prepared.client.headers("GET", PUBLIC_API_URL + target, {
    headers: { Authorization: `Bearer ${token}` },
  });
  return verdict(
    await sendRaw(apiOrigin, { method: "GET", target, headers: Object.entries(headers) }),
  );
}

async function dataKeys(): Promise<string[]> {
  const { rows } = await pool.query<{ key: string }>(
    "select purpose || ' ' || encode(wrapped_key, 'hex') as key from data_keys order by 1",
  );
  return rows.map(({ key }) => key);
}

test("a new token is good at once at a process that has not heard of its key", async () => {
  const before = decodeProtectedHeader(await newToken()).kid;
  line.holdAnswers();
  expect((await rotate(OLD)).code).toBe(0);
  const token = await newToken();
  expect(decodeProtectedHeader(token).kid).not.toBe(before);
  const calls = Array.from({ length: 5 }, () => call(forgotten, token));
  await pause(300);
  line.releaseAnswers();
  expect(await Promise.all(calls)).toEqual(Array.from({ length: 5 }, () => "200/000"));
});

test("a new master key is refused while a process runs without it, and nothing changes", async () => {
  const before = await dataKeys();
  await expect(rotate(`${NEW},${OLD}`)).rejects.toThrow("does not have the new master key");
  expect(await dataKeys()).toEqual(before);
  expect(await call(forgotten, await newToken())).toBe("200/000");
});

test("a new master key is taken when all processes have it", async () => {
  await forgotten.stop();
  expect((await rotate(`${NEW},${OLD}`)).code).toBe(0);
  expect(await call(prepared, await newToken())).toBe("200/000");
});
