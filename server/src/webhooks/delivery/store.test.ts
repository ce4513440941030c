import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { type Books, openBooks } from "../../../test/harness/books.ts";
import { until } from "../../../test/harness/eventually.ts";
import { scratchDatabase } from "../../../test/harness/scratch.ts";
import type { Statement } from "../../db/lane.ts";
import { transaction } from "../../db/transaction.ts";
import { tellEvents } from "../../engine/events.ts";
import { createLog } from "../../foundation/log.ts";
import { type ClaimedRow, claimDue, claimFresh, claimRecovered, findBusy } from "./claim-store.ts";
import { LEASE_MS } from "./delivery.ts";
import { placeEntries } from "./feed-store.ts";
import { type AttemptResult, recordAttempts, release } from "./result-store.ts";
import { DISABLE_AFTER_MS, LONGEST_DELAY_MS } from "./schedule.ts";
import { releaseDeadSeats, WorkerSeat } from "./seat.ts";
import { deleteOrphans, disableFailing, hastenStrays } from "./sweep.ts";

const NOW = new Date("2026-01-31T12:00:00.000Z");
const LATER = new Date("2026-02-28T12:00:00.000Z");
const ENDPOINT = "whe_1";

let books: Books;
let organizationId: string;
beforeAll(async () => {
  books = openBooks(await scratchDatabase());
});
afterAll(() => books.close());
beforeEach(async () => {
  await books.pool.query(
    "truncate webhook_deliveries, webhook_attempts, webhook_endpoints, event_log, events",
  );
  organizationId = await books.openOrganization();
});

async function run<Row>({ text, values = [] }: Statement): Promise<Row[]> {
  return (await books.pool.query(text, values)).rows as Row[];
}

async function openEndpoint(id = ENDPOINT, eventTypes: string[] = []): Promise<void> {
  await books.pool.query(
    `insert into webhook_endpoints
       (organization_id, webhook_endpoint_id, url, event_types, status, secret_sealed, position, created_at)
     values ($1, $2, 'https://hooks.example.com', $3, 'Enabled', '', 0, $4)`,
    [organizationId, id, eventTypes, NOW],
  );
}

/** Commits events together, without giving them positions. */
async function write(count: number, eventType = "wallet.deposited"): Promise<void> {
  const event = (_: unknown, n: number) => ({ organizationId, eventType, data: { n } });
  await transaction(books.pool, (tx) => tellEvents(tx, Array.from({ length: count }, event), NOW));
}

async function tell(count: number, eventType?: string): Promise<void> {
  await write(count, eventType);
  await run(placeEntries(0n));
}

const rooms = (room: number, id = ENDPOINT) => [{ organizationId, webhookEndpointId: id, room }];
const fresh = (room: number, worker = 1) => run<ClaimedRow>(claimFresh(rooms(room), worker, NOW));
const due = (room: number, at = NOW, worker = 2) =>
  run<ClaimedRow>(claimDue(rooms(room), worker, at));

const resultOf = (row: ClaimedRow, change: Partial<AttemptResult> = {}): AttemptResult => ({
  organizationId,
  webhookEndpointId: row.webhookEndpointId,
  eventId: row.eventId,
  attempts: row.attempts,
  at: NOW,
  httpStatus: 200,
  error: null,
  durationMs: 1.5,
  isAcknowledged: true,
  nextAt: LATER,
  ...change,
});

const failure = { httpStatus: 500, isAcknowledged: false };

async function record(...results: AttemptResult[]): Promise<void> {
  for (const statement of recordAttempts(results, NOW)) await run(statement);
}

async function deliveries() {
  const { rows } = await books.pool.query(
    `select event_id as "eventId", attempts, due_at as "dueAt", lease_until is not null as leased
       from webhook_deliveries order by event_id`,
  );
  return rows;
}

test("events are given positions without gaps, organization by organization", async () => {
  await write(3);
  const ours = organizationId;
  organizationId = await books.openOrganization();
  await write(2);
  await run(placeEntries(0n));
  await write(1);
  organizationId = ours;
  await write(4);
  await write(1);
  await run(placeEntries(0n));
  const { rows } = await books.pool.query(
    "select organization_id = $1 as ours, events, position from event_log order by entry_id",
    [ours],
  );
  expect(rows).toEqual([
    { ours: true, events: 3, position: 3n },
    { ours: false, events: 2, position: 2n },
    { ours: false, events: 1, position: 3n },
    { ours: true, events: 4, position: 7n },
    { ours: true, events: 1, position: 8n },
  ]);
});

test("an entry whose number is below the look keeps waiting for one that sees everything", async () => {
  await write(1);
  expect(await run(placeEntries(1_000_000n))).toEqual([]);
  expect(await run(placeEntries(0n))).toHaveLength(1);
});

test("events are taken in their order, as many as there is room for, each once", async () => {
  await openEndpoint();
  await tell(5);
  await tell(5);
  const { rows } = await books.pool.query(
    "select event_ids as ids from event_log order by position",
  );
  const all = rows.flatMap(({ ids }) => ids.split(" "));
  const taken = [...(await fresh(3)), ...(await fresh(4)), ...(await fresh(10))];
  expect(taken.map(({ eventId }) => eventId)).toEqual(all);
  expect(await fresh(10)).toEqual([]);
  expect((await deliveries()).every(({ leased }) => leased)).toBe(true);
});

test("events that somebody has cleared away are passed over, not waited for", async () => {
  await openEndpoint();
  for (let n = 0; n < 4; n++) await tell(30);
  await books.pool.query("delete from event_log where position <= 60");
  const taken = [await fresh(10), await fresh(25), await fresh(100)].map(({ length }) => length);
  expect(taken).toEqual([10, 25, 25]);
});

test("what an endpoint does not want is passed over", async () => {
  await openEndpoint(ENDPOINT, ["card.issued"]);
  await tell(3, "wallet.deposited");
  await tell(1, "card.issued");
  const first = await fresh(3);
  expect(first.map(({ eventType }) => eventType)).toEqual([null, null, null]);
  expect((await fresh(3)).map(({ eventType }) => eventType)).toEqual(["card.issued"]);
  expect(await deliveries()).toHaveLength(1);
});

test("a disabled endpoint is given nothing", async () => {
  await openEndpoint();
  await tell(3);
  const [first] = await fresh(1);
  if (first !== undefined) await record(resultOf(first, { ...failure, nextAt: NOW }));
  await books.pool.query("update webhook_endpoints set status = 'Disabled'");
  expect(await fresh(5)).toEqual([]);
  expect(await due(5)).toEqual([]);
  expect(await run(findBusy(LATER))).toEqual([]);
});

test("what one worker has no other takes, until its lease is over", async () => {
  await openEndpoint();
  await tell(2);
  await fresh(2);
  expect(await due(5)).toEqual([]);
  expect(await run(findBusy(NOW))).toEqual([]);
  const left = await books.pool.query(
    `select count(*)::int as count from webhook_deliveries
      where lease_until between clock_timestamp() and clock_timestamp() + $1 * interval '1 millisecond'`,
    [LEASE_MS],
  );
  expect(left.rows).toEqual([{ count: 2 }]);
  await books.pool.query("update webhook_deliveries set lease_until = clock_timestamp()");
  expect(await run(findBusy(NOW))).toMatchObject([{ hasDue: true, hasFresh: false }]);
  expect(await due(1)).toHaveLength(1);
  expect(await due(5)).toHaveLength(1);
});

test("an acknowledged delivery is gone, a failed one waits for its time", async () => {
  await openEndpoint();
  await tell(2);
  const [one, two] = await fresh(2);
  if (one === undefined || two === undefined) throw new Error("Two were to be taken.");
  await record(resultOf(one), resultOf(two, failure));
  expect(await deliveries()).toEqual([
    { eventId: two.eventId, attempts: 1, dueAt: LATER, leased: false },
  ]);
  expect(await due(5)).toEqual([]);
  expect(await due(5, LATER)).toMatchObject([{ eventId: two.eventId, attempts: 1 }]);
});

test("what was planned while the clock was ahead is due at once, and nothing else", async () => {
  await openEndpoint();
  await openEndpoint("whe_2");
  await tell(3);
  const [last, stray, over] = await fresh(3);
  const [other] = await run<ClaimedRow>(claimFresh(rooms(1, "whe_2"), 1, NOW));
  if (!last || !stray || !over || !other) throw new Error("Four were to be taken.");
  const longest = new Date(NOW.getTime() + LONGEST_DELAY_MS);
  const longer = new Date(longest.getTime() + 2 * 3_600_000);
  await record(
    resultOf(last, { ...failure, nextAt: longest }),
    resultOf(stray, { ...failure, nextAt: longer }),
    resultOf(over, { ...failure, nextAt: null }),
    resultOf(other, { ...failure, nextAt: longer }),
  );
  await hastenStrays(books.pool, NOW);
  expect(await due(5)).toMatchObject([{ eventId: stray.eventId, attempts: 1 }]);
  expect(await due(5, longest)).toMatchObject([{ eventId: last.eventId }]);
});

test("the last failure leaves it as failed, and nobody takes it any more", async () => {
  await openEndpoint();
  await tell(1);
  const [one] = await fresh(1);
  if (one !== undefined) await record(resultOf(one, { ...failure, nextAt: null }));
  expect(await deliveries()).toMatchObject([{ attempts: 1, dueAt: null }]);
  expect(await due(5, LATER)).toEqual([]);
  expect(await run(findBusy(LATER))).toEqual([]);
});

test("a worker that was thought dead changes nothing that its successor did", async () => {
  await openEndpoint();
  await tell(1);
  const [slow] = await fresh(1);
  await books.pool.query("update webhook_deliveries set lease_until = clock_timestamp()");
  const [quick] = await due(1);
  if (slow === undefined || quick === undefined) throw new Error("It was to be taken twice.");
  await record(resultOf(quick, { ...failure, nextAt: LATER }));
  await record(resultOf(slow, { ...failure, nextAt: NOW }));
  expect(await deliveries()).toMatchObject([{ attempts: 1, dueAt: LATER }]);
  // Unless it was acknowledged: then it has arrived, whatever else was thought.
  await record(resultOf(slow));
  expect(await deliveries()).toEqual([]);
});

test("what was taken and never sent can be given back, by whoever has it", async () => {
  await openEndpoint();
  await tell(1);
  const taken = await fresh(1, 7);
  await run(release(taken, 8));
  expect(await due(1)).toEqual([]);
  await run(release(taken, 7));
  expect(await due(1)).toHaveLength(1);
});

test("a worker's seat shows that it lives, and frees what it had when it does not", async () => {
  await openEndpoint();
  await tell(4);
  const [dead, living] = [new WorkerSeat(books.url), new WorkerSeat(books.url)];
  const deadId = await dead.workerId();
  expect(await dead.workerId()).toBe(deadId);
  await fresh(2, deadId);
  await fresh(2, await living.workerId());
  expect(await releaseDeadSeats(books.pool)).toBe(0);
  const { rows } = await books.pool.query(
    `select pg_terminate_backend(l.pid) from pg_locks l join pg_database d on d.oid = l.database
      where d.datname = current_database() and l.locktype = 'advisory' and l.objid = $1`,
    [deadId],
  );
  expect(rows).toHaveLength(1);
  await until("its lock is gone", async () => (await releaseDeadSeats(books.pool)) === 2);
  expect(await due(5)).toHaveLength(2);
  // It takes another seat when it is asked again.
  expect(await dead.workerId()).not.toBe(deadId);
  await dead.leave();
  await living.leave();
});

test("the health of an endpoint follows its attempts", async () => {
  await openEndpoint();
  await tell(3);
  const [one, two, three] = await fresh(3);
  if (one === undefined || two === undefined || three === undefined) throw new Error("Too few.");
  const failingSince = async () =>
    (await books.pool.query(`select failing_since as at, failed_at as last from webhook_endpoints`))
      .rows[0];
  await record(resultOf(one, failure));
  expect(await failingSince()).toEqual({ at: NOW, last: NOW });
  for (const statement of recordAttempts([resultOf(two, failure)], LATER)) await run(statement);
  expect(await failingSince()).toEqual({ at: NOW, last: LATER });
  // One acknowledgement among failures is enough.
  await record(resultOf(two, { ...failure, attempts: 1 }), resultOf(three));
  expect(await failingSince()).toEqual({ at: null, last: null });
});

test.each<[string, number, number | null, boolean, boolean]>([
  ["failed for five days, with more to be tried", 0, DISABLE_AFTER_MS, true, true],
  ["failed for five days, with nothing to be tried", 0, DISABLE_AFTER_MS, false, true],
  ["failed at first, and was not tried since", 0, 0, true, false],
  ["failed at first, and nothing is left to be tried", 0, 0, false, true],
  ["not failed for long", 1, DISABLE_AFTER_MS - 1, true, false],
  ["not failed at all", 0, null, true, false],
])("disabled: %s", async (_what, startMs, lastMs, hasMore, expected) => {
  await openEndpoint();
  const start = NOW.getTime() - DISABLE_AFTER_MS;
  await books.pool.query("update webhook_endpoints set failing_since = $1, failed_at = $2", [
    lastMs === null ? null : new Date(start + startMs),
    lastMs === null ? null : new Date(start + lastMs),
  ]);
  await tell(1);
  await fresh(1);
  if (!hasMore) await books.pool.query("update webhook_deliveries set due_at = null");
  const clock = { now: () => NOW, nowMs: () => NOW.getTime() };
  const log = createLog({ level: "silent" });
  const disable = () => disableFailing({ pool: books.pool, clock, log });
  expect(await disable()).toBe(expected ? 1 : 0);
  expect(await disable()).toBe(0);
  const { rows } = await books.pool.query(
    "select data from events where event_type = 'webhook_endpoint.disabled'",
  );
  expect(rows.map(({ data }) => data.webhookEndpointId)).toEqual(expected ? [ENDPOINT] : []);
});

test("recovering goes through the range once, and takes what was never acknowledged", async () => {
  await openEndpoint();
  await tell(7);
  const [acknowledged, alsoSo, failed, waiting, inFlight] = await fresh(5);
  if (!acknowledged || !alsoSo || !failed || !waiting || !inFlight) throw new Error("Too few.");
  await record(
    resultOf(acknowledged),
    resultOf(alsoSo, { httpStatus: 299 }),
    resultOf(failed, { ...failure, nextAt: null }),
    resultOf(waiting, failure),
  );
  await books.pool.query(
    "update webhook_endpoints set recover_from = 'evt_', recover_until = 'evt_~'",
  );
  const taken: ClaimedRow[] = [];
  while (
    (await run(findBusy(NOW))).some((busy) => (busy as { hasRecovery: boolean }).hasRecovery)
  ) {
    taken.push(...(await run<ClaimedRow>(claimRecovered(rooms(2), 3, NOW))));
  }
  const { rows } = await books.pool.query("select event_id as id from events order by event_id");
  const wanted = rows
    .map(({ id }) => id)
    .filter((id) => ![acknowledged, alsoSo, inFlight].some(({ eventId }) => eventId === id));
  const found = taken.filter(({ eventType }) => eventType !== null);
  expect(found.map(({ eventId }) => eventId)).toEqual(wanted);
  expect(found.every(({ attempts }) => attempts === 0)).toBe(true);
  // Those that the feed would have brought later are on their way already.
  expect((await fresh(5)).map(({ eventType }) => eventType)).toEqual([null, null]);
});

test("deliveries of a deleted endpoint are cleared away, and no others", async () => {
  await openEndpoint();
  await openEndpoint("whe_2");
  await tell(3);
  await fresh(3);
  await run(claimFresh(rooms(3, "whe_2"), 1, NOW));
  await books.pool.query("delete from webhook_endpoints where webhook_endpoint_id = 'whe_2'");
  expect(await deleteOrphans(books.pool)).toBe(false);
  const { rows } = await books.pool.query(
    "select distinct webhook_endpoint_id as id from webhook_deliveries",
  );
  expect(rows).toEqual([{ id: ENDPOINT }]);
});
