import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, expect, test } from "vitest";
import { withLock } from "./lock.ts";

const ID = "0b0e7a5c-5f5b-4c0e-9c36-2f3a6b1f1a11";

let directory = "";
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "florin-lock-"));
});
afterEach(() => rm(directory, { recursive: true }));

const locked = <T>(work: () => Promise<T>) =>
  withLock(join(directory, "lock"), work, () => undefined);

test("one at a time, and nothing is left behind", async () => {
  let inside = 0;
  let most = 0;
  const work = async () => {
    inside += 1;
    most = Math.max(most, inside);
    await sleep(5);
    inside -= 1;
  };
  await Promise.all(Array.from({ length: 6 }, () => locked(work)));
  expect(most).toBe(1);
  expect(await readdir(directory)).toEqual([]);
});

test("a failure inside releases the lock", async () => {
  await expect(locked(() => Promise.reject(new Error("inside")))).rejects.toThrow("inside");
  expect(await locked(async () => "again")).toBe("again");
});

test.each([
  ["of a process that is gone", `lock-4194304-1-${ID}`],
  ["whose pid has gone to another process", `lock-${process.pid}-1-${ID}`],
  ["that nobody can read", "lock-?"],
])("a lock %s is taken over", async (_whose, name) => {
  await writeFile(join(directory, name), "");
  expect(await locked(() => readdir(directory))).not.toContain(name);
});
