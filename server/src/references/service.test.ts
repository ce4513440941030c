import { afterEach, beforeEach, expect, test } from "vitest";
import { type Books, openBooks } from "../../test/harness/books.ts";
import { newClaim } from "../../test/harness/claims.ts";
import { scratchDatabase } from "../../test/harness/scratch.ts";
import { type Clock, ServiceClock } from "../foundation/clock.ts";
import { DAY_MS } from "../foundation/dates.ts";
import { InFlight } from "./in-flight.ts";
import { onceInTransaction } from "./once-in-transaction.ts";
import { describeRequest } from "./service.ts";

const clock = new ServiceClock();
const inFlight = new InFlight();

let books: Books;
beforeEach(async () => {
  books = openBooks(await scratchDatabase());
});
afterEach(() => books.close());

/** What is said of a Reference while a request under it is being worked on. */
const stateMeanwhile = async (then: Clock = clock): Promise<string> => {
  const claim = newClaim("R");
  const { clientId, reference } = claim;
  const deps = { pool: books.pool, clock: then, inFlight };
  const ask = () => describeRequest(deps, clientId, reference);
  return (await inFlight.takeTurn(claim, ask)).state;
};

test("a request that is being worked on is in progress", async () => {
  expect(await stateMeanwhile()).toBe("InProgress");
});

test("one that succeeded is not in progress again because it came a second time", async () => {
  await onceInTransaction({ pool: books.pool, clock }, newClaim("R"), async () => "done");
  expect(await stateMeanwhile()).toBe("Succeeded");
});

test("one that succeeded a day ago is in progress when its Reference is used again", async () => {
  await onceInTransaction({ pool: books.pool, clock }, newClaim("R"), async () => "done");
  const nowMs = () => clock.nowMs() + DAY_MS;
  expect(await stateMeanwhile({ nowMs, now: () => new Date(nowMs()) })).toBe("InProgress");
});
