import { randomBytes } from "node:crypto";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Books, openBooks } from "../../test/harness/books.ts";
import { scratchDatabase } from "../../test/harness/scratch.ts";
import { LEARNED_AFTER_MS } from "../db/shared-state.ts";
import type { Clock } from "../foundation/clock.ts";
import { masterIdOf, parseMasterKeys, WrongMasterKey } from "../foundation/keyring.ts";
import { Vault } from "./vault.ts";

const CONTEXT = "clients/cli_1/secret";
const OLD = `old:${randomBytes(32).toString("base64")}`;
const NEW = `new:${randomBytes(32).toString("base64")}`;

let nowMs: number;
const clock: Clock = { now: () => new Date(nowMs), nowMs: () => nowMs };

let books: Books;
beforeEach(async () => {
  nowMs = Date.now();
  books = openBooks(await scratchDatabase());
});
afterEach(() => books.close());

const open = (masters = OLD): Promise<Vault> =>
  Vault.open(books.pool, parseMasterKeys(masters), clock);

async function dataKeys(): Promise<{ version: number; wrappedKey: Buffer }[]> {
  const { rows } = await books.pool.query(
    `select version, wrapped_key as "wrappedKey" from data_keys where purpose = 'seal' order by version`,
  );
  return rows;
}

test("what one process seals another can read, at its place only", async () => {
  const [one, other] = [await open(), await open()];
  const sealed = one.seal("secret", CONTEXT);
  expect(String(await other.unseal(sealed, CONTEXT))).toBe("secret");
  await expect(other.unseal(sealed, "clients/cli_2/secret")).rejects.toThrow("not authentic");
});

test("processes that open it at once share one key", async () => {
  const vaults = await Promise.all(Array.from({ length: 5 }, () => open()));
  expect(await dataKeys()).toHaveLength(1);
  const sealed = vaults[0]?.seal("secret", CONTEXT) ?? Buffer.alloc(0);
  for (const vault of vaults) expect(String(await vault.unseal(sealed, CONTEXT))).toBe("secret");
});

test("the database holds no key in the clear, and nothing sealed shows what it hides", async () => {
  const vault = await open();
  const sealed = vault.seal("secret", CONTEXT);
  expect(sealed.includes("secret")).toBe(false);
  expect(vault.seal("secret", CONTEXT).equals(sealed)).toBe(false);
  const [key] = await dataKeys();
  expect(key?.wrappedKey.length).toBeGreaterThan(32);
});

test("a new key seals from then on, and what was sealed before stays readable", async () => {
  const vault = await open();
  const before = vault.seal("before", CONTEXT);
  expect(vault.needsReseal(before)).toBe(false);
  expect(await vault.addKey()).toBe(2);
  expect(vault.needsReseal(before)).toBe(true);
  expect(String(await vault.unseal(before, CONTEXT))).toBe("before");
  expect(vault.needsReseal(vault.seal("after", CONTEXT))).toBe(false);
});

test("a process that has not heard of a new key learns of it by meeting it", async () => {
  const [rotating, unsealing, computing] = [await open(), await open(), await open()];
  await rotating.addKey();
  const sealed = rotating.seal("after", CONTEXT);
  expect(String(await unsealing.unseal(sealed, CONTEXT))).toBe("after");
  const [newest] = rotating.derivationKeys("cvv");
  expect(newest?.version).toBe(2);
  expect(await computing.derivationKeyOf("cvv", 2)).toEqual(newest);
});

test("a new key computes once every process has heard of it, so that all find what it computed", async () => {
  const [rotating, waiting] = [await open(), await open()];
  expect(rotating.derivationKey("pan-hash").version).toBe(1);
  await rotating.addKey();
  nowMs += LEARNED_AFTER_MS - 1;
  expect(waiting.derivationKeys("pan-hash")).toContainEqual(rotating.derivationKey("pan-hash"));
  nowMs += 1;
  expect(rotating.derivationKey("pan-hash").version).toBe(2);
});

test("two rotations at once leave every process with keys that work", async () => {
  const [one, other] = [await open(), await open()];
  await Promise.all([one.addKey(), other.addKey()]);
  const sealed = [one.seal("one", CONTEXT), other.seal("other", CONTEXT)];
  const third = await open();
  expect(
    await Promise.all(sealed.map(async (s) => String(await third.unseal(s, CONTEXT)))),
  ).toEqual(["one", "other"]);
});

test("a rotation that comes after another's still adds a key", async () => {
  const [one, other] = [await open(), await open()];
  expect([await one.addKey(), await other.addKey()]).toEqual([2, 3]);
});

test.each([
  ["another purpose", "'cvv'", 1, "'pan-hash'", 1],
  ["another version", "'seal'", 1, "'seal'", 2],
])("a key that is put in the place of %s is not taken for it", async (_what, ...places) => {
  await (await open()).addKey();
  const [purpose, version, otherPurpose, otherVersion] = places;
  await books.pool.query(
    `update data_keys set wrapped_key =
            (select wrapped_key from data_keys where purpose = ${purpose} and version = ${version})
      where purpose = ${otherPurpose} and version = ${otherVersion}`,
  );
  await expect(open()).rejects.toThrow(WrongMasterKey);
});

test.each([
  ["another key under the same name", `old:${randomBytes(32).toString("base64")}`],
  ["a key under another name", NEW],
])("with %s the vault does not open, and leaves no key behind", async (_what, masters) => {
  await open();
  await expect(open(masters)).rejects.toThrow();
  expect(await dataKeys()).toHaveLength(1);
  const vault = await open();
  expect(String(await vault.unseal(vault.seal("secret", CONTEXT), CONTEXT))).toBe("secret");
});

test("with a wrong master key no key is added that the right one could not open", async () => {
  await open();
  await books.pool.query("delete from data_keys where purpose <> 'seal'");
  await expect(open(NEW)).rejects.toThrow(WrongMasterKey);
  expect((await open()).derivationKey("cvv").version).toBe(1);
});

test("of processes that open it first with different master keys, those with one of them can", async () => {
  const masters = [OLD, NEW, OLD, NEW];
  const opened = await Promise.allSettled(masters.map((each) => open(each)));
  const usable = masters.filter((_, n) => opened[n]?.status === "fulfilled");
  expect([
    [OLD, OLD],
    [NEW, NEW],
  ]).toContainEqual(usable);
});

test("after a rotation under a new master key its predecessor can be retired", async () => {
  const before = (await open()).seal("before", CONTEXT);
  const both = await open(`${NEW},${OLD}`);
  await both.addKey();
  expect((await dataKeys()).map(({ wrappedKey }) => masterIdOf(wrappedKey))).toEqual([
    "new",
    "new",
  ]);
  const after = await open(NEW);
  expect(String(await after.unseal(before, CONTEXT))).toBe("before");
});

test.each([
  ["has the new master key", () => `${OLD},${NEW}`, true],
  ["has only the old one", () => OLD, false],
])("whether a process that %s is found by asking", async (_what, masters, hasIt) => {
  const running = await open(masters());
  const rotating = await open(`${NEW},${OLD}`);
  expect(rotating.hasOlderMaster).toBe(true);
  await rotating.askForMaster(new Date());
  await running.reload();
  expect(await rotating.concludeAsking()).toBe(hasIt);
  expect(String(await running.unseal(rotating.seal("still", CONTEXT), CONTEXT))).toBe("still");
});

test("a question that nobody concluded is asked anew, and is no key", async () => {
  const rotating = await open(`${NEW},${OLD}`);
  await rotating.askForMaster(new Date());
  await rotating.askForMaster(new Date());
  await rotating.addKey();
  expect(rotating.hasOlderMaster).toBe(false);
  expect(await rotating.concludeAsking()).toBe(true);
  expect(await rotating.concludeAsking()).toBe(false);
});
