import { afterEach, beforeEach, expect, test } from "vitest";
import { newClaim } from "../../test/harness/claims.ts";
import { until } from "../../test/harness/eventually.ts";
import { openTill, settled, type Till } from "../../test/harness/till.ts";
import type { Claim } from "../references/claim.ts";
import { GENERATION_LOCK, recordOutcomes } from "../references/store.ts";
import { deposit } from "../wallets/deposit.ts";
import type { Operation } from "./operation.ts";

let till: Till;
beforeEach(async () => {
  till = await openTill();
});
afterEach(() => till.close());

/** Another process that settles a Reference, and commits only when it is told to. */
async function rival({
  reference,
}: Claim): Promise<{ end(how: "commit" | "rollback"): Promise<void> }> {
  const outcome = { state: "Succeeded", httpStatus: 200, responseCode: "000" } as const;
  const { text, values } = recordOutcomes(
    [{ claim: newClaim(reference), outcome, seenAttempt: 0 }],
    new Date(),
  );
  const tx = await till.books.pool.connect();
  await tx.query("begin");
  await tx.query(text, values);
  return {
    end: async (how) => {
      await tx.query(how);
      tx.release();
    },
  };
}

test.each([
  ["commits", "commit", "rejected"],
  ["gives up", "rollback", "fulfilled"],
] as const)(
  "the same Reference in two processes at once: one waits for the other, which %s",
  async (_what, end, expected) => {
    const mine = newClaim();
    const other = await rival(mine);
    const work = till.put(1n, mine);
    work.catch(() => undefined);
    await until("one waits for the other", async () => (await till.lockWaiters()).length === 1);
    await other.end(end);
    const [outcome] = await Promise.allSettled([work]);
    expect(outcome?.status).toBe(expected);
    expect(await till.balance()).toBe(expected === "fulfilled" ? 1n : 0n);
    if (outcome?.status === "fulfilled") return;
    expect(outcome?.reason).toMatchObject({ codeName: "DUPLICATE_REQUEST" });
  },
);

test("a lost race takes nobody else of the batch with it", async () => {
  const mine = newClaim();
  const other = await rival(mine);
  const work = [till.put(1n, newClaim()), till.put(10n, mine), till.put(100n)];
  for (const one of work) one.catch(() => undefined);
  await until("one waits for the other", async () => (await till.lockWaiters()).length === 1);
  await other.end("commit");
  expect(await settled(work)).toEqual(["fulfilled", "rejected", "fulfilled"]);
  expect(await till.balance()).toBe(101n);
});

test("a lost race hurts nobody else of a batch that lost its connection before", async () => {
  const mine = newClaim();
  const other = await rival(mine);
  const work = [till.put(1n, newClaim()), till.put(10n, mine), till.put(100n, newClaim())];
  for (const one of work) one.catch(() => undefined);
  await until("one waits for the other", async () => (await till.lockWaiters()).length === 1);
  const [first] = await till.lockWaiters();
  await till.books.pool.query("select pg_terminate_backend($1, 5000)", [first]);
  await until("it waits again, on another connection", async () => {
    const [second] = await till.lockWaiters();
    return second !== undefined && second !== first;
  });
  await other.end("commit");
  expect(await settled(work)).toEqual(["fulfilled", "rejected", "fulfilled"]);
  await expect(work[1]).rejects.toMatchObject({ codeName: "DUPLICATE_REQUEST" });
  expect(await till.balance()).toBe(101n);
});

test("an account that somebody keeps locked holds up nobody but those who need it", async () => {
  const { books, engine, organizationId } = till;
  const other = await books.openWallet(organizationId, "JPY");
  const ended: string[] = [];
  const ends = (what: string, work: Promise<unknown>) =>
    work.then(
      () => ended.push(`${what} is done`),
      () => ended.push(`${what} is refused`),
    );
  const input = { entryId: "jrn_2", walletId: other, currency: "JPY" as const, amountMinor: 1n };
  const putElsewhere = () => engine.run(deposit, organizationId, input);
  await till.whileLocked(async () => {
    // The first batch finds out.
    await Promise.all([ends("locked", till.put(1n)), ends("free", putElsewhere())]);
    expect(ended.splice(0)).toEqual(["locked is refused", "free is done"]);
    // Those that follow are not kept waiting by it.
    await Promise.all([
      ends("locked", till.put(1n)),
      ends("locked", till.put(1n)),
      ends("free", putElsewhere()),
    ]);
    expect(ended.splice(0)).toEqual(["free is done", "locked is refused", "locked is refused"]);
  });
  // It is tried again soon after.
  const put = () => till.put(1n).catch(() => undefined);
  await until("the lock can be had", async () => (await put()) !== undefined);
  await Promise.all([ends("locked", till.put(1n)), ends("free", putElsewhere())]);
  expect(ended).toEqual(["locked is done", "free is done"]);
  expect(await till.balance()).toBe(2n);
  expect(await books.balanceOf(other)).toBe(3n);
});

test("who shares another account with work that cannot get its lock is served", async () => {
  const { books, engine, organizationId, walletId } = till;
  const [shared, mine] = [
    await books.openWallet(organizationId, "JPY"),
    await books.openWallet(organizationId, "EUR"),
  ];
  const touch: Operation<string[], string> = {
    name: "touch",
    accounts: (accounts) => accounts,
    decide: () => ({ effects: { postings: [], events: [] }, answer: "done" }),
  };
  const run = (...accounts: string[]) => engine.run(touch, organizationId, accounts);
  await till.whileLocked(async () => {
    for (let round = 0; round < 2; round++) {
      const work = [run(walletId, shared), run(shared, mine)];
      expect(await settled(work)).toEqual(["rejected", "fulfilled"]);
    }
  });
});

test("a batch that is under way holds off the switch of generations", async () => {
  const switchMayHappen = async (): Promise<boolean> => {
    const { rows } = await till.books.pool.query("select pg_try_advisory_xact_lock($1) as free", [
      GENERATION_LOCK,
    ]);
    return rows[0].free;
  };
  const { work } = await till.whileLocked(async () => {
    const started = till.put(1n, newClaim());
    await until("the batch waits", async () => (await till.lockWaiters()).length === 1);
    expect(await switchMayHappen()).toBe(false);
    return { work: started };
  });
  await work;
  expect(await switchMayHappen()).toBe(true);
});

test("a batch that waited for the switch of generations writes to the new one", async () => {
  const mine = newClaim();
  const holder = await till.books.pool.connect();
  await holder.query("begin");
  await holder.query("select pg_advisory_xact_lock($1)", [GENERATION_LOCK]);
  const work = till.put(1n, mine);
  await until("the batch waits", async () => (await till.lockWaiters()).length === 1);
  await holder.query(
    "create table request_references_2 partition of request_references for values in (2)",
  );
  await holder.query("insert into reference_generations values (2, now())");
  await holder.query("commit");
  holder.release();
  await work;
  const { rows } = await till.books.pool.query(
    "select generation from request_references where reference = $1",
    [mine.reference],
  );
  expect(rows).toEqual([{ generation: 2 }]);
});
