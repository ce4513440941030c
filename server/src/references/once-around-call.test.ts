import { afterAll, beforeAll, expect, test } from "vitest";
import { newReference } from "../../test/harness/api-client.ts";
import { type Books, openBooks } from "../../test/harness/books.ts";
import { newClaim } from "../../test/harness/claims.ts";
import { until } from "../../test/harness/eventually.ts";
import { scratchDatabase } from "../../test/harness/scratch.ts";
import { type Clock, ServiceClock } from "../foundation/clock.ts";
import { Failure } from "../foundation/failure.ts";
import { type Claim, REFERENCE_WINDOW_MS } from "./claim.ts";
import { InFlight } from "./in-flight.ts";
import { onceAroundCall } from "./once-around-call.ts";
import { describeRequest } from "./service.ts";
import { extendReservation, findOne } from "./store.ts";

const clock = new ServiceClock();
let books: Books;
let made = 0;
beforeAll(async () => {
  books = openBooks(await scratchDatabase());
  await books.pool.query("create table effects (reference text, resource_id text)");
});
afterAll(() => books.close());

/** The call outside; what it gives is written down. */
type Ask = (resourceId: string) => Promise<string>;
const answering: Ask = async () => "asked";

const run = (claim: Claim, ask: Ask = answering, then: Clock = clock) =>
  onceAroundCall({ pool: books.pool, clock: then }, claim, {
    newResourceId: () => `made_${++made}`,
    ask,
    record: async (tx, asked, resourceId) => {
      await tx.query("insert into effects values ($1, $2)", [claim.reference, resourceId]);
      return `${asked} for ${resourceId}`;
    },
  });

/** A run whose call is under way, and what ends the call. */
async function underCall(claim: Claim, then?: Clock) {
  type End = { answer: (text: string) => void; fail: (error: Error) => void };
  let begin: (end: End) => void = () => undefined;
  const begun = new Promise<End>((resolve) => {
    begin = resolve;
  });
  const outcome = run(claim, () => new Promise((answer, fail) => begin({ answer, fail })), then);
  return { outcome, ...(await begun) };
}

async function effectsOf({ reference }: Claim): Promise<string[]> {
  const { rows } = await books.pool.query<{ id: string }>(
    "select resource_id as id from effects where reference = $1",
    [reference],
  );
  return rows.map(({ id }) => id);
}

const describeOf = ({ clientId, reference }: Claim, then: Clock = clock) =>
  describeRequest({ pool: books.pool, clock: then, inFlight: new InFlight() }, clientId, reference);

/** What time does to the reservation of a process that died. */
const expireLease = ({ reference }: Claim) =>
  books.pool.query(
    "update request_references set lease_until = clock_timestamp() where reference = $1",
    [reference],
  );

const underWay = ({ reference, method, path }: Claim) => ({
  reference,
  state: "InProgress",
  method,
  path,
  httpStatus: null,
  responseCode: null,
  resourceId: null,
  completedAt: null,
});

test("the call runs under a reservation, effect and success are committed together", async () => {
  const claim = newClaim();
  const answer = await run(claim, async (resourceId) => {
    expect(await findOne(books.pool, claim)).toMatchObject({
      state: "InProgress",
      leaseLive: true,
    });
    expect(await describeOf(claim)).toEqual(underWay(claim));
    expect(await effectsOf(claim)).toEqual([]);
    return resourceId;
  });
  const [resourceId] = await effectsOf(claim);
  expect(answer).toBe(`${resourceId} for ${resourceId}`);
  expect(claim.settled).toBe(true);
  expect(await describeOf(claim)).toMatchObject({ state: "Succeeded", resourceId });
});

test("no transaction is open during the call", async () => {
  await run(newClaim(), async () => {
    const { rows } = await books.pool.query<{ open: number }>(
      `select count(*)::int as open from pg_stat_activity
        where datname = current_database() and state like 'idle in transaction%'`,
    );
    expect(rows).toEqual([{ open: 0 }]);
    return "";
  });
});

test("a used-up Reference stops it before it asks", async () => {
  const reference = newReference();
  await run(newClaim(reference));
  const again = newClaim(reference);
  const asked = run(again, () => Promise.reject(new Error("must not be asked")));
  await expect(asked).rejects.toMatchObject({ codeName: "DUPLICATE_REQUEST" });
  expect(await effectsOf(again)).toHaveLength(1);
});

test("a call that fails is remembered, and retried under the same name by the same request only", async () => {
  const claim = newClaim();
  const names: string[] = [];
  const failing: Ask = async (resourceId) => {
    names.push(resourceId);
    throw new Failure("TERMINAL_PROCESSOR_ERROR");
  };
  await expect(run(claim, failing)).rejects.toMatchObject({ codeName: "TERMINAL_PROCESSOR_ERROR" });
  expect(claim.settled).toBe(true);
  expect(await describeOf(claim)).toMatchObject({
    state: "Failed",
    httpStatus: 502,
    responseCode: "152",
    resourceId: null,
  });
  const changed = newClaim(claim.reference, { digest: () => Buffer.alloc(32, 2) });
  await expect(run(changed)).rejects.toMatchObject({ codeName: "DUPLICATE_REQUEST" });
  await expect(run(newClaim(claim.reference), failing)).rejects.toThrow();
  await run(newClaim(claim.reference), async (resourceId) => {
    expect(await describeOf(claim)).toEqual(underWay(claim));
    return resourceId;
  });
  expect(new Set([...names, ...(await effectsOf(claim))]).size).toBe(1);
  expect(await effectsOf(claim)).toHaveLength(1);
});

test.each([
  ["a bug", new Error("oops")],
  ["an outcome that nobody knows", new Failure("SERVICE_MALFUNCTION")],
  ["a malformed request", new Failure("INVALID_REQUEST")],
])("after %s the Reference is free at once, for any payload", async (_what, error) => {
  const claim = newClaim();
  let name = "";
  const failing: Ask = (resourceId) => {
    name = resourceId;
    return Promise.reject(error);
  };
  await expect(run(claim, failing)).rejects.toBe(error);
  expect(claim.settled).toBe(false);
  expect(await describeOf(claim)).toMatchObject({ state: "Unknown" });
  await run(newClaim(claim.reference, { digest: () => Buffer.alloc(32, 2) }));
  expect(await effectsOf(claim)).toHaveLength(1);
  // Another question must not be taken for the first, which the other side may know by its name.
  expect(await effectsOf(claim)).not.toContain(name);
});

test("effects that cannot be written leave nothing", async () => {
  const claim = newClaim();
  const work = onceAroundCall({ pool: books.pool, clock }, claim, {
    newResourceId: () => "never",
    ask: answering,
    record: async (tx) => {
      await tx.query("insert into effects values ($1, 'half')", [claim.reference]);
      throw new Error("refused");
    },
  });
  await expect(work).rejects.toThrow("refused");
  expect(await effectsOf(claim)).toEqual([]);
  await run(newClaim(claim.reference));
  expect(await effectsOf(claim)).toHaveLength(1);
});

test("another process waits for the first, and then finds its success", async () => {
  const claim = newClaim();
  const first = await underCall(claim);
  let asked = 0;
  const others = [1, 2, 3].map(() =>
    run(newClaim(claim.reference), async () => {
      asked += 1;
      return "";
    }),
  );
  const outcomes = Promise.allSettled(others);
  first.answer("first");
  await first.outcome;
  for (const outcome of await outcomes) {
    expect(outcome).toMatchObject({ reason: { codeName: "DUPLICATE_REQUEST" } });
  }
  expect(asked).toBe(0);
  expect(await effectsOf(claim)).toHaveLength(1);
});

test("a clock that is moved by a day does not let another process ask, too", async () => {
  const claim = newClaim();
  const moving = new ServiceClock();
  const first = await underCall(claim, moving);
  moving.follow(REFERENCE_WINDOW_MS);
  expect(await describeOf(claim, moving)).toEqual(underWay(claim));
  const second = run(newClaim(claim.reference), answering, moving);
  const refused = expect(second).rejects.toMatchObject({ codeName: "DUPLICATE_REQUEST" });
  first.answer("first");
  await first.outcome;
  await refused;
  expect(await effectsOf(claim)).toHaveLength(1);
});

test("another process waits for the first, and when that fails, tries itself", async () => {
  const claim = newClaim();
  const first = await underCall(claim);
  const failed = expect(first.outcome).rejects.toMatchObject({ codeName: "ISSUER_SWITCH_TIMEOUT" });
  const second = run(newClaim(claim.reference));
  first.fail(new Failure("ISSUER_SWITCH_TIMEOUT"));
  await failed;
  await second;
  expect(await effectsOf(claim)).toHaveLength(1);
});

test("an outcome is told for 24 hours to the millisecond, as long as its Reference is used up", async () => {
  const claim = newClaim();
  await run(claim);
  const known = await findOne(books.pool, claim);
  const endMs = (known?.completedAt.getTime() ?? 0) + REFERENCE_WINDOW_MS;
  for (const [nowMs, state] of [
    [endMs - 1, "Succeeded"],
    [endMs, "Unknown"],
  ] as const) {
    const then = { now: () => new Date(nowMs), nowMs: () => nowMs };
    expect(await describeOf(claim, then)).toMatchObject({ state });
  }
});

test("of many that begin at once, one asks", async () => {
  const reference = newReference();
  let asked = 0;
  const outcomes = await Promise.allSettled(
    Array.from({ length: 5 }, () =>
      run(newClaim(reference), async () => {
        asked += 1;
        return "";
      }),
    ),
  );
  expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  expect(asked).toBe(1);
});

test("the lease is renewed for as long as the call takes, and then no more", async () => {
  const claim = newClaim();
  const first = await underCall(claim);
  const leaseOf = async () => {
    const { rows } = await books.pool.query<{ until: string }>(
      "select lease_until::text as until from request_references where reference = $1",
      [claim.reference],
    );
    return rows[0]?.until;
  };
  for (let renewals = 0; renewals < 2; renewals++) {
    const before = await leaseOf();
    await until("it is renewed", async () => (await leaseOf()) !== before);
  }
  first.fail(new Error("oops"));
  await expect(first.outcome).rejects.toThrow("oops");
  expect(await describeOf(claim)).toMatchObject({ state: "Unknown" });
  // One that is late does not take what was given free.
  await extendReservation(books.pool, claim, { attempt: 1, leaseMs: 60_000 });
  expect(await describeOf(claim)).toMatchObject({ state: "Unknown" });
});

test("what a dead process reserved is free when its lease is over; should it live after all, it is too late", async () => {
  const claim = newClaim();
  const slow = await underCall(claim);
  await expireLease(claim);
  expect(await describeOf(claim)).toMatchObject({ state: "Unknown" });
  await run(newClaim(claim.reference));
  const [resourceId] = await effectsOf(claim);
  slow.answer("too late");
  await expect(slow.outcome).rejects.toMatchObject({ codeName: "DUPLICATE_REQUEST" });
  expect(await effectsOf(claim)).toEqual([resourceId]);
  expect(await describeOf(claim)).toMatchObject({ state: "Succeeded", resourceId });
});
