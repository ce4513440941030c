import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newReference } from "../../test/harness/api-client.ts";
import { type Books, openBooks } from "../../test/harness/books.ts";
import { newClaim } from "../../test/harness/claims.ts";
import { scratchDatabase } from "../../test/harness/scratch.ts";
import { isConflict } from "../db/errors.ts";
import type { Claim } from "./claim.ts";
import {
  findKnown,
  findOne,
  findRequest,
  insertReservation,
  isReferenceTaken,
  type OutcomeRow,
  recordOutcomes,
  releaseReservation,
  writeOutcomes,
  YOUNGEST_GENERATION,
} from "./store.ts";

let books: Books;
beforeAll(async () => {
  books = openBooks(await scratchDatabase());
});
afterAll(() => books.close());

const claim = (reference = newReference(), clientId = "cli_1"): Claim =>
  newClaim(reference, { clientId, digest: () => Buffer.alloc(32, 7) });

const succeeded = (of: Claim, seenAttempt = 0): OutcomeRow => ({
  claim: of,
  seenAttempt,
  outcome: { state: "Succeeded", httpStatus: 200, responseCode: "000", resourceId: "wal_1" },
});

const failed = (of: Claim, seenAttempt = 0): OutcomeRow => ({
  claim: of,
  seenAttempt,
  outcome: { state: "Failed", httpStatus: 404, responseCode: "157" },
});

const youngest = async (): Promise<number> =>
  (await books.run(YOUNGEST_GENERATION))[0]?.rows[0].generation;

/** The two ways to write them. */
const ways = {
  "one by one": async (...rows: OutcomeRow[]): Promise<void> => {
    await books.run(recordOutcomes(rows, new Date()));
  },
  "in batches": async (...rows: OutcomeRow[]): Promise<void> => {
    await books.run(...writeOutcomes(rows, new Date(), await youngest()));
  },
};
const { "in batches": record } = ways;
const bothWays = Object.entries(ways);
const isLate = (error: unknown): boolean => isConflict(error) || isReferenceTaken(error);

test.each(bothWays)("a success is found again, without a digest: %s", async (_way, record) => {
  const mine = claim();
  await record(succeeded(mine));
  expect(await findOne(books.pool, mine)).toMatchObject({
    attempt: 1,
    state: "Succeeded",
    digest: null,
    leaseLive: false,
  });
  expect(await findRequest(books.pool, mine.clientId, mine.reference)).toMatchObject({
    state: "Succeeded",
    method: "POST",
    path: "/api/v1/x",
    httpStatus: 200,
    responseCode: "000",
    resourceId: "wal_1",
  });
});

test.each(bothWays)(
  "a failure keeps its payload's digest, and a success takes its place: %s",
  async (_way, record) => {
    const mine = claim();
    await record(failed(mine));
    expect(await findOne(books.pool, mine)).toMatchObject({
      state: "Failed",
      digest: mine.digest(),
    });
    await record(succeeded(mine, 1));
    expect(await findOne(books.pool, mine)).toMatchObject({ attempt: 2, state: "Succeeded" });
  },
);

describe.each(bothWays)("%s", (_way, record) => {
  test.each([
    ["new to a writer, but settled by another since", 0, succeeded],
    ["failed once to a writer, but retried by another since", 1, succeeded],
    ["failed twice over", 0, failed],
  ] as const)("a Reference %s: the late writer loses", async (_what, seenAttempt, write) => {
    const mine = claim();
    await record(failed(mine));
    if (seenAttempt === 1) await record(succeeded(mine, 1));
    await expect(record(write(mine, seenAttempt))).rejects.toSatisfy(isLate);
  });

  test("all outcomes are written or none", async () => {
    const settled = claim();
    const [fresh, retried] = [claim(), claim()];
    await record(succeeded(settled), failed(retried));
    const late = record(succeeded(fresh), succeeded(retried, 1), succeeded(settled));
    await expect(late).rejects.toSatisfy(isLate);
    expect(await findOne(books.pool, fresh)).toBeUndefined();
    expect(await findOne(books.pool, retried)).toMatchObject({ attempt: 1 });
  });
});

test("what another table refuses is no Reference that was taken", async () => {
  const organizationId = await books.openOrganization();
  const again = books.pool.query(
    "insert into organizations select * from organizations where organization_id = $1",
    [organizationId],
  );
  const error = await again.catch((reason: unknown) => reason);
  expect(error).toMatchObject({ code: "23505" });
  expect(isReferenceTaken(error)).toBe(false);
});

test("many References are looked up at once, each client's apart", async () => {
  const mine = claim("shared", "cli_mine");
  const theirs = claim("shared", "cli_theirs");
  const nobodys = claim();
  await record(succeeded(mine), failed(theirs));
  const { text, values } = findKnown([mine, theirs, nobodys]);
  const { rows } = await books.pool.query(text, values);
  expect(rows.map(({ clientId, state }) => [clientId, state])).toEqual([
    ["cli_mine", "Succeeded"],
    ["cli_theirs", "Failed"],
  ]);
});

test("References differ by case and by any character", async () => {
  await record(succeeded(claim("Abc")));
  expect(await findOne(books.pool, claim("abc"))).toBeUndefined();
  expect(await findOne(books.pool, claim("Abc!"))).toBeUndefined();
});

test("a lease counts in real time", async () => {
  const mine = claim();
  await record(failed(mine));
  const lease = (until: string) =>
    books.pool.query(
      `update request_references set state = 'InProgress', lease_until = ${until} where reference = $1`,
      [mine.reference],
    );
  await lease("clock_timestamp() + interval '1 minute'");
  expect(await findOne(books.pool, mine)).toMatchObject({ leaseLive: true });
  await lease("clock_timestamp() - interval '1 minute'");
  expect(await findOne(books.pool, mine)).toMatchObject({ leaseLive: false });
});

test("whoever was late does not free what another has reserved since", async () => {
  const mine = claim();
  const reserve = (seenAttempt: number) =>
    insertReservation(
      books.pool,
      { claim: mine, resourceId: "kyc_1", seenAttempt, leaseMs: 60_000 },
      new Date(),
    );
  expect([await reserve(0), await reserve(1)]).toEqual([true, true]);
  await releaseReservation(books.pool, mine, 1);
  expect(await findOne(books.pool, mine)).toMatchObject({ attempt: 2, leaseLive: true });
  await releaseReservation(books.pool, mine, 2);
  expect(await findOne(books.pool, mine)).toMatchObject({ attempt: 2, leaseLive: false });
});
