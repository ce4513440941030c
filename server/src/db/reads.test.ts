import { afterAll, beforeAll, expect, test } from "vitest";
import { type Books, openBooks } from "../../test/harness/books.ts";
import { DatabaseProxy } from "../../test/harness/proxy.ts";
import { scratchDatabase } from "../../test/harness/scratch.ts";
import { textArray } from "./arrays.ts";
import { type ManyQuery, Reads } from "./reads.ts";

interface Row {
  key: string;
  value: number;
}

let books: Books;
let reads: Reads;
beforeAll(async () => {
  books = openBooks(await scratchDatabase());
  await books.pool.query(`create table facts (key text, value int);
    insert into facts values ('a', 1), ('a', 2), ('b', 3)`);
  reads = new Reads(books.url);
});
afterAll(async () => {
  await reads.stop();
  await books.close();
});

function valuesOf(name: string): ManyQuery<string, Row> & { asked: string[][] } {
  const asked: string[][] = [];
  return {
    asked,
    statement: (keys) => {
      asked.push(keys);
      return {
        name,
        text: "select * from facts where key = any($1) order by value",
        values: [textArray(keys)],
      };
    },
    keyOf: (row) => row.key,
  };
}

const values = (rows: Row[]): number[] => rows.map(({ value }) => value);

test("what is asked together is asked once, and everyone gets the rows of their own key", async () => {
  const query = valuesOf("facts");
  const answers = await Promise.all(["a", "b", "none", "a"].map((key) => reads.ask(query, key)));
  expect(answers.map(values)).toEqual([[1, 2], [3], [], [1, 2]]);
  expect(query.asked).toEqual([["a", "b", "none"]]);
});

test("different questions travel together without mixing", async () => {
  const one = valuesOf("facts_one");
  const other = valuesOf("facts_other");
  const [first, second] = await Promise.all([reads.ask(one, "a"), reads.ask(other, "b")]);
  expect([values(first), values(second)]).toEqual([[1, 2], [3]]);
});

test("whoever asks after a write sees it", async () => {
  const query = valuesOf("facts");
  for (let value = 10; value < 30; value++) {
    await books.pool.query("update facts set value = $1 where key = 'b'", [value]);
    expect(values(await reads.ask(query, "b"))).toEqual([value]);
  }
});

test("a statement that fails rejects its askers, and the next question is answered", async () => {
  const broken: ManyQuery<string, Row> = {
    statement: (keys) => ({
      name: "broken",
      text: "select * from nowhere where x = $1",
      values: [textArray(keys)],
    }),
    keyOf: (row) => row.key,
  };
  await expect(reads.ask(broken, "a")).rejects.toMatchObject({ code: "42P01" });
  expect(values(await reads.ask(valuesOf("facts"), "a"))).toEqual([1, 2]);
});

test("after a question that found no database it cannot read until one is there again", async () => {
  const line = await DatabaseProxy.before(books.url);
  const cut = new Reads(line.url);
  expect(await cut.canRead()).toBe(true);
  line.goDown();
  await expect(cut.ask(valuesOf("facts"), "a")).rejects.toThrow();
  expect(await cut.canRead()).toBe(false);
  line.comeUp();
  // Nobody else has to ask for it.
  expect(await cut.canRead()).toBe(true);
  expect(values(await cut.ask(valuesOf("facts"), "a"))).toEqual([1, 2]);
  await cut.stop();
  await line.close();
});

test("a stop waits for what was asked", async () => {
  const brief = new Reads(books.url);
  const answer = brief.ask(valuesOf("facts"), "a");
  await brief.stop();
  expect(values(await answer)).toEqual([1, 2]);
});
