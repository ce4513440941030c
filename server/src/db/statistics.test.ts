import { afterEach, beforeEach, expect, test } from "vitest";
import { type Books, openBooks } from "../../test/harness/books.ts";
import { until } from "../../test/harness/eventually.ts";
import { scratchDatabase } from "../../test/harness/scratch.ts";
import { refreshStatistics } from "./statistics.ts";

let books: Books;
beforeEach(async () => {
  books = openBooks(await scratchDatabase());
});
afterEach(() => books.close());

test("a table that grows is analyzed, and left alone until it has grown again", async () => {
  await books.pool.query("create table grown (id int)");
  expect(await refreshStatistics(books.pool)).not.toContain("grown");
  await books.pool.query("insert into grown select generate_series(1, 5000)");
  const known = async () => {
    const { rows } = await books.pool.query(
      "select reltuples as n from pg_class where relname = 'grown'",
    );
    return rows[0].n as number;
  };
  expect(await known()).toBeLessThan(1);
  // Statistics of what a connection did reach the others after a moment.
  await until("it is noticed", async () => (await refreshStatistics(books.pool)).includes("grown"));
  expect(await known()).toBe(5000);
  expect(await refreshStatistics(books.pool)).not.toContain("grown");
});
