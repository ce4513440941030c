import { setImmediate as nextTurn } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { type Books, openBooks } from "../../test/harness/books.ts";
import { scratchDatabase } from "../../test/harness/scratch.ts";
import { isUnavailable } from "./errors.ts";
import { transaction } from "./transaction.ts";

let books: Books;
beforeAll(async () => {
  books = openBooks(await scratchDatabase());
  await books.pool.query("create table kept (n int)");
});
afterAll(() => books.close());

const uncaught: unknown[] = [];
const note = (error: unknown) => uncaught.push(error);
beforeEach(() => {
  uncaught.length = 0;
  process.on("uncaughtException", note);
});
afterEach(() => process.off("uncaughtException", note));

const kept = async () => (await books.pool.query("select n from kept order by n")).rows;

test("what resolves is committed, what throws is rolled back, and the error is the caller's", async () => {
  expect(
    await transaction(books.pool, async (tx) => {
      await tx.query("insert into kept values (1)");
      return "done";
    }),
  ).toBe("done");
  const failing = transaction(books.pool, async (tx) => {
    await tx.query("insert into kept values (2)");
    throw new Error("refused");
  });
  await expect(failing).rejects.toThrow("refused");
  expect(await kept()).toEqual([{ n: 1 }]);
});

test("a connection that breaks between two statements fails its transaction, not the process", async () => {
  const broken = transaction(books.pool, async (tx) => {
    const { rows } = await tx.query("select pg_backend_pid() as pid");
    await books.pool.query("select pg_terminate_backend($1, 5000)", [rows[0].pid]);
    for (let turn = 0; turn < 100; turn++) await nextTurn();
    await tx.query("insert into kept values (3)");
  });
  await expect(broken).rejects.toSatisfy(isUnavailable);
  await nextTurn();
  expect(uncaught).toEqual([]);
  await transaction(books.pool, (tx) => tx.query("select 1"));
});

test("a connection that breaks under a statement fails its transaction, not the process", async () => {
  const broken = transaction(books.pool, async (tx) => {
    const { rows } = await tx.query("select pg_backend_pid() as pid");
    // Awaited together: the statement may fail before the order to end it has been answered.
    await Promise.all([
      tx.query("select pg_sleep(20)"),
      books.pool.query("select pg_terminate_backend($1)", [rows[0].pid]),
    ]);
  });
  await expect(broken).rejects.toSatisfy(isUnavailable);
  await nextTurn();
  expect(uncaught).toEqual([]);
  await transaction(books.pool, (tx) => tx.query("select 1"));
});
