import { afterAll, beforeAll, expect, test } from "vitest";
import { newReference } from "../../test/harness/api-client.ts";
import { type Books, openBooks } from "../../test/harness/books.ts";
import { newClaim } from "../../test/harness/claims.ts";
import { scratchDatabase } from "../../test/harness/scratch.ts";
import { ServiceClock } from "../foundation/clock.ts";
import type { Claim } from "./claim.ts";
import { onceInTransaction } from "./once-in-transaction.ts";
import { findOne, GENERATION_LOCK } from "./store.ts";

const clock = new ServiceClock();
let books: Books;
beforeAll(async () => {
  books = openBooks(await scratchDatabase());
  await books.pool.query("create table effects (reference text)");
});
afterAll(() => books.close());

const work = (of: Claim) =>
  onceInTransaction({ pool: books.pool, clock }, of, async (tx) => {
    await tx.query("insert into effects values ($1)", [of.reference]);
    return "done";
  });

async function effectsOf({ reference }: Claim): Promise<number | null> {
  const { rowCount } = await books.pool.query("select from effects where reference = $1", [
    reference,
  ]);
  return rowCount;
}

test("the effect and the success of its Reference are committed together", async () => {
  const mine = newClaim();
  expect(await work(mine)).toBe("done");
  expect(mine.settled).toBe(true);
  expect(await effectsOf(mine)).toBe(1);
  expect(await findOne(books.pool, mine)).toMatchObject({ state: "Succeeded" });
});

test("work that fails leaves neither", async () => {
  const mine = newClaim();
  const failing = onceInTransaction({ pool: books.pool, clock }, mine, async (tx) => {
    await tx.query("insert into effects values ($1)", [mine.reference]);
    throw new Error("refused");
  });
  await expect(failing).rejects.toThrow("refused");
  expect(mine.settled).toBe(false);
  expect(await effectsOf(mine)).toBe(0);
  expect(await findOne(books.pool, mine)).toBeUndefined();
});

test("a used-up Reference stops the work before it begins", async () => {
  const reference = newReference();
  await work(newClaim(reference));
  const again = newClaim(reference);
  await expect(work(again)).rejects.toMatchObject({ codeName: "DUPLICATE_REQUEST" });
  expect(await effectsOf(again)).toBe(1);
});

test("work that is under way holds off the switch of generations", async () => {
  const switchMayHappen = async (): Promise<boolean> => {
    const text = "select pg_try_advisory_xact_lock($1) as free";
    return (await books.pool.query(text, [GENERATION_LOCK])).rows[0].free;
  };
  const during = await onceInTransaction({ pool: books.pool, clock }, newClaim(), switchMayHappen);
  expect([during, await switchMayHappen()]).toEqual([false, true]);
});

test("of many processes with one Reference one succeeds, and the others learn that it was used", async () => {
  const mine = newClaim();
  let underWay = 0;
  let meet: () => void = () => undefined;
  const met = new Promise<void>((resolve) => {
    meet = resolve;
  });
  /** Goes on when all have found the Reference unused. */
  const attempt = () =>
    onceInTransaction({ pool: books.pool, clock }, { ...mine }, async (tx) => {
      if (++underWay === 3) meet();
      await met;
      await tx.query("insert into effects values ($1)", [mine.reference]);
    });
  const attempts = await Promise.allSettled([attempt(), attempt(), attempt()]);
  expect(attempts.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  expect(await effectsOf(mine)).toBe(1);
  for (const attempt of attempts) {
    if (attempt.status === "fulfilled") continue;
    expect(attempt.reason).toMatchObject({ codeName: "DUPLICATE_REQUEST" });
  }
});
