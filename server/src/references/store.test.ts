import { afterAll, beforeAll, expect, test } from "vitest";
import { newReference } from "../../test/harness/api-client.ts";
import { type Books, openBooks } from "../../test/harness/books.ts";
import { newClaim } from "../../test/harness/claims.ts";
import { scratchDatabase } from "../../test/harness/scratch.ts";
import type { Claim } from "./claim.ts";
import { findKnown, findOne, findRequest, type OutcomeRow, recordOutcomes } from "./store.ts";

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

async function record(...rows: OutcomeRow[]): Promise<void> {
  const { text, values } = recordOutcomes(rows, new Date());
  await books.pool.query(text, values);
}

test("a success is found again, without a digest, which nothing will ask for", async () => {
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

test("a failure keeps the digest of its payload, and a later success takes its place", async () => {
  const mine = claim();
  await record(failed(mine));
  expect(await findOne(books.pool, mine)).toMatchObject({ state: "Failed", digest: mine.digest() });
  await record(succeeded(mine, 1));
  expect(await findOne(books.pool, mine)).toMatchObject({ attempt: 2, state: "Succeeded" });
});

test.each([
  ["new to a writer, but settled by another since", 0, succeeded],
  ["failed once to a writer, but retried by another since", 1, succeeded],
  ["failed twice over", 0, failed],
] as const)("a Reference %s: the late writer loses", async (_what, seenAttempt, write) => {
  const mine = claim();
  await record(failed(mine));
  if (seenAttempt === 1) await record(succeeded(mine, 1));
  await expect(record(write(mine, seenAttempt))).rejects.toMatchObject({ code: "40001" });
});

test("all outcomes of a batch are written or none", async () => {
  const settled = claim();
  const fresh = claim();
  await record(succeeded(settled));
  await expect(record(succeeded(fresh), succeeded(settled))).rejects.toMatchObject({
    code: "40001",
  });
  expect(await findOne(books.pool, fresh)).toBeUndefined();
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
