import { setImmediate as nextTurn } from "node:timers/promises";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { until } from "../../test/harness/eventually.ts";
import { fillDisk, freeDisk } from "../../test/harness/full-disk.ts";
import { openTill, type Till } from "../../test/harness/till.ts";
import { deposit } from "../wallets/deposit.ts";
import type { Operation } from "./operation.ts";

let till: Till;
beforeEach(async () => {
  till = await openTill();
});
afterEach(async () => {
  vi.useRealTimers();
  await till.close();
});

const nothing: Operation<undefined, undefined> = {
  name: "nothing",
  accounts: () => [],
  decide: () => ({ effects: { postings: [], events: [] }, answer: undefined }),
};

test("an engine can write until the database fails it, and again once a new table finds room", async () => {
  const { engine, books, organizationId, put } = till;
  expect(await engine.canWrite()).toBe(true);
  await fillDisk(books.url);
  await expect(put(1n)).rejects.toMatchObject({ code: "53100" });
  expect(await engine.canWrite()).toBe(false);
  // Small rows say nothing about the rest.
  await engine.run(nothing, organizationId, undefined);
  expect(await engine.canWrite()).toBe(false);
  await freeDisk(books.url);
  expect(await engine.canWrite()).toBe(true);
});

test("without a failure nothing is written to find out, nor after one that is no outage", async () => {
  const { engine, batches, organizationId } = till;
  const bad: Operation<undefined, undefined> = {
    ...nothing,
    decide: () => {
      throw new Error("poison");
    },
  };
  await expect(engine.run(bad, organizationId, undefined)).rejects.toThrow("poison");
  expect(await engine.canWrite()).toBe(true);
  expect(batches).toEqual([1]);
});

test("a write that does not come to its end is a reason to find out", async () => {
  const { engine, put, whileLocked, lockWaiters } = till;
  const { slow, asked } = await whileLocked(async () => {
    const slow = put(1n);
    await until("it waits", async () => (await lockWaiters()).length === 1);
    expect(await engine.canWrite()).toBe(true);
    vi.useFakeTimers({ toFake: ["performance"] });
    vi.advanceTimersByTime(3_600_000);
    const asked = engine.canWrite();
    expect(await Promise.race([asked, nextTurn("not known")])).toBe("not known");
    return { slow, asked };
  });
  vi.useRealTimers();
  await slow;
  expect(await asked).toBe(true);
});

test("several engines may find out at once, and leave nothing behind", async () => {
  const { books, organizationId, walletId, openEngine } = till;
  const engines = Array.from({ length: 4 }, () => openEngine(1));
  await fillDisk(books.url);
  const input = { entryId: "jrn_1", walletId, currency: "USD" as const, amountMinor: 1n };
  for (const engine of engines) {
    await expect(engine.run(deposit, organizationId, input)).rejects.toThrow("No space");
  }
  await freeDisk(books.url);
  const answers = await Promise.all(engines.map((engine) => engine.canWrite()));
  expect(answers).toEqual([true, true, true, true]);
  const left = "select from pg_class where relname = 'florin_write_probe'";
  expect((await books.pool.query(left)).rowCount).toBe(0);
  await Promise.all(engines.map((engine) => engine.stop()));
});

test("where no tables may be created, an outage that is over is not taken for one that lasts", async () => {
  const { engine, books, put } = till;
  await fillDisk(books.url);
  await expect(put(1n)).rejects.toMatchObject({ code: "53100" });
  await freeDisk(books.url);
  await books.pool.query(
    `create function no_tables() returns event_trigger language plpgsql as $$ begin
       raise exception 'not here';
     end $$;
     create event trigger no_tables on ddl_command_start when tag in ('CREATE TABLE AS')
       execute function no_tables()`,
  );
  expect(await engine.canWrite()).toBe(true);
});
