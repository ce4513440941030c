import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Books, openBooks } from "../../test/harness/books.ts";
import { until } from "../../test/harness/eventually.ts";
import { scratchDatabase } from "../../test/harness/scratch.ts";
import { createPool } from "./pool.ts";
import { FEED_NAME, SharedStateFeed } from "./shared-state.ts";

let books: Books;
let feed: SharedStateFeed;
beforeEach(async () => {
  books = openBooks(await scratchDatabase());
  feed = new SharedStateFeed(books.pool);
});
afterEach(async () => {
  feed.stop();
  await books.close();
});

const change = (column: string) =>
  books.pool.query(`update shared_state set ${column} = ${column} + 1`);

test("a listener hears the current value, then each change of its own field", async () => {
  const early: number[] = [];
  const late: bigint[] = [];
  feed.on("clockOffsetMs", (value) => early.push(value));
  await feed.refresh();
  feed.on("directoryVersion", (value) => late.push(value));
  expect({ early, late }).toEqual({ early: [0], late: [1n] });

  await change("directory_version");
  await feed.refresh();
  await feed.refresh();
  expect({ early, late }).toEqual({ early: [0], late: [1n, 2n] });
});

test("a started feed notices by itself, and a stopped one no longer asks", async () => {
  const heard: bigint[] = [];
  await feed.start();
  feed.on("keysVersion", (value) => heard.push(value));
  await change("keys_version");
  await until("the change is noticed", () => heard.length === 2);
  expect(heard).toEqual([1n, 2n]);

  feed.stop();
  await change("keys_version");
  await until("what is known goes stale", () => !feed.isFresh());
  expect(heard).toEqual([1n, 2n]);
});

test("what is known is fresh only while it is confirmed, and again once the database answers", async () => {
  expect(feed.isFresh()).toBe(false);
  await feed.start();
  expect(feed.isFresh()).toBe(true);
  await books.pool.query("alter table shared_state rename to hidden");
  await until("what is known goes stale", () => !feed.isFresh());
  await books.pool.query("alter table hidden rename to shared_state");
  await until("it is fresh again", () => feed.isFresh());
});

test("an offset of many years arrives exactly", async () => {
  await books.pool.query("update shared_state set clock_offset_ms = 3155760000123");
  const heard: number[] = [];
  feed.on("clockOffsetMs", (value) => heard.push(value));
  await feed.refresh();
  expect(heard).toEqual([3_155_760_000_123]);
});

test("a database without the row is a broken one", async () => {
  await books.pool.query("delete from shared_state");
  await expect(feed.refresh()).rejects.toThrow("shared_state");
});

describe("whether a process is alone", () => {
  const isAlone = async (...urls: string[]): Promise<boolean[]> => {
    const pools = urls.map((url) => createPool(url, 1, FEED_NAME));
    try {
      await Promise.all(pools.map((pool) => pool.query("select")));
      return await Promise.all(pools.map((pool) => new SharedStateFeed(pool).isAlone()));
    } finally {
      await Promise.all(pools.map((pool) => pool.end()));
    }
  };

  test("it is if nobody else serves, whatever else is connected", async () => {
    await books.pool.query("select");
    expect(await isAlone(books.url)).toEqual([true]);
  });

  test("it is not if another serves", async () => {
    expect(await isAlone(books.url, books.url)).toEqual([false, false]);
  });

  test("it does not believe so if its name was lost on the way", async () => {
    expect(
      await isAlone(`${books.url}${books.url.includes("?") ? "&" : "?"}application_name=ours`),
    ).toEqual([false]);
  });
});
