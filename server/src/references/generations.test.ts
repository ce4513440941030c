import { afterEach, beforeEach, expect, test } from "vitest";
import { newReference } from "../../test/harness/api-client.ts";
import { type Books, openBooks } from "../../test/harness/books.ts";
import { newClaim } from "../../test/harness/claims.ts";
import { eventually } from "../../test/harness/eventually.ts";
import { scratchDatabase } from "../../test/harness/scratch.ts";
import type { Pool } from "../db/pool.ts";
import type { Clock } from "../foundation/clock.ts";
import { turnGenerations } from "./generations.ts";
import { onceInTransaction } from "./once-in-transaction.ts";
import { findOne, findRequest, GENERATION_LOCK, recordOutcomes } from "./store.ts";

const HOUR_MS = 3_600_000;

let books: Books;
let clock: Clock & { advance(hours: number): void };

beforeEach(async () => {
  books = openBooks(await scratchDatabase());
  // The database is a copy of one that was made when the tests began.
  await books.pool.query("update reference_generations set started_at = now()");
  let offsetMs = 0;
  clock = {
    nowMs: () => Date.now() + offsetMs,
    now: () => new Date(Date.now() + offsetMs),
    advance: (hours) => {
      offsetMs += hours * HOUR_MS;
    },
  };
});
afterEach(() => books.close());

const turn = () => turnGenerations(books.pool, clock);
const use = (reference: string) =>
  onceInTransaction({ pool: books.pool, clock }, newClaim(reference), async () => "done");

async function generations(): Promise<number[]> {
  const { rows } = await books.pool.query<{ generation: number }>(
    "select generation from reference_generations order by generation",
  );
  return rows.map(({ generation }) => generation);
}

async function partitions(): Promise<string[]> {
  const { rows } = await books.pool.query<{ name: string }>(
    `select inhrelid::regclass::text as name from pg_inherits
      where inhparent = 'request_references'::regclass order by 1`,
  );
  return rows.map(({ name }) => name);
}

test("a generation lives for a whole window", async () => {
  clock.advance(23.9);
  await turn();
  expect(await generations()).toEqual([1]);
});

test("after a window a new one opens, and the old one stays for the References that still count", async () => {
  clock.advance(24);
  await turn();
  await turn();
  expect(await generations()).toEqual([1, 2]);
  expect(await partitions()).toEqual(["request_references_1", "request_references_2"]);
});

test("a Reference used just before the switch is refused just after it", async () => {
  clock.advance(30);
  await use("R");
  await turn();
  expect(await generations()).toEqual([1, 2]);
  await expect(use("R")).rejects.toMatchObject({ codeName: "DUPLICATE_REQUEST" });
  clock.advance(23.9);
  await expect(use("R")).rejects.toMatchObject({ codeName: "DUPLICATE_REQUEST" });
  clock.advance(0.2);
  expect(await use("R")).toBe("done");
  await expect(use("R")).rejects.toMatchObject({ codeName: "DUPLICATE_REQUEST" });
});

test("the youngest outcome counts where generations disagree", async () => {
  const failed = newClaim("R");
  const outcome = { state: "Failed", httpStatus: 404, responseCode: "157" } as const;
  clock.advance(30);
  const { text, values } = recordOutcomes(
    [{ claim: failed, outcome, seenAttempt: 0 }],
    clock.now(),
  );
  await books.pool.query(text, values);
  await turn();
  await use("R");
  expect(await findOne(books.pool, failed)).toMatchObject({ state: "Succeeded", attempt: 2 });
  const { clientId, reference } = failed;
  expect(await findRequest(books.pool, clientId, reference)).toMatchObject({ state: "Succeeded" });
  await expect(use("R")).rejects.toMatchObject({ codeName: "DUPLICATE_REQUEST" });
});

test("over many days at most two generations are kept, with their tables", async () => {
  const used: string[] = [];
  for (let day = 0; day < 6; day++) {
    clock.advance(24.1);
    const reference = newReference();
    used.push(reference);
    await use(reference);
    await turn();
  }
  expect(await generations()).toEqual([6, 7]);
  expect(await partitions()).toEqual(["request_references_6", "request_references_7"]);
  const states = await Promise.all(
    used.map((reference) => findOne(books.pool, newClaim(reference))),
  );
  expect(states.map((state) => state?.state)).toEqual([
    ...Array.from({ length: 5 }, () => undefined),
    "Succeeded",
  ]);
});

test("a generation that could not be dropped goes later, and those whose References count stay", async () => {
  clock.advance(24.1);
  await turn();
  clock.advance(24.1);
  await use("R");
  const reader = await books.pool.connect();
  try {
    await reader.query("begin");
    await reader.query("select from request_references_1");
    await expect(turn()).rejects.toThrow("lock timeout");
    await reader.query("rollback");
  } finally {
    reader.release();
  }
  expect(await generations()).toEqual([1, 2, 3]);
  clock.advance(23.9);
  await turn();
  expect(await generations()).toEqual([2, 3]);
  await expect(use("R")).rejects.toMatchObject({ codeName: "DUPLICATE_REQUEST" });
});

test("processes that turn at once open one generation", async () => {
  clock.advance(25);
  let looked = 0;
  let goOn: () => void = () => undefined;
  const bothLooked = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  // Nobody goes on before both have seen that one is due.
  const pool = {
    connect: () => books.pool.connect(),
    query: async (text: string, values: unknown[]) => {
      const found = await books.pool.query(text, values);
      looked += 1;
      if (looked === 2) goOn();
      await bothLooked;
      return found;
    },
  } as unknown as Pool;
  // Whoever waits too long for the other gives up, and comes again another time.
  await Promise.allSettled([turnGenerations(pool, clock), turnGenerations(pool, clock)]);
  expect(await generations()).toEqual([1, 2]);
});

test("the switch waits for whoever still works in the old generation, and whoever comes later waits for it", async () => {
  clock.advance(25);
  const worker = await books.pool.connect();
  try {
    await worker.query("begin");
    await worker.query("select pg_advisory_xact_lock_shared($1)", [GENERATION_LOCK]);
    const turned = turn();
    await eventually("the switch waits for its lock", async () => {
      const { rowCount } = await books.pool.query(
        `select from pg_locks where locktype = 'advisory' and not granted
            and database = (select oid from pg_database where datname = current_database())`,
      );
      return rowCount === 1 ? true : undefined;
    });
    expect(await generations()).toEqual([1]);
    const outcome = { state: "Succeeded", httpStatus: 200, responseCode: "000" } as const;
    const { text, values } = recordOutcomes(
      [{ claim: newClaim("R"), outcome, seenAttempt: 0 }],
      clock.now(),
    );
    const late = use("R");
    late.catch(() => undefined);
    await worker.query(text, values);
    await worker.query("commit");
    await turned;
    await expect(late).rejects.toMatchObject({ codeName: "DUPLICATE_REQUEST" });
    expect(await generations()).toEqual([1, 2]);
  } finally {
    worker.release();
  }
});
