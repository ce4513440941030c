import { expect, test } from "vitest";
import {
  ENDPOINT,
  failure,
  LATER,
  NOW,
  type WebhookBooks,
  webhookBooks,
} from "../../../test/harness/webhook-books.ts";
import { type ClaimedRow, claimRecovered, findBusy } from "./claim-store.ts";
import { LEASE_MS } from "./delivery.ts";

let books: WebhookBooks;
webhookBooks((opened) => {
  books = opened;
});

test("events are taken in their order, as many as there is room for, each once", async () => {
  await books.openEndpoint();
  await books.emit(5);
  await books.emit(5);
  const { rows } = await books.pool.query(
    "select event_ids as ids from event_log order by position",
  );
  const all = rows.flatMap(({ ids }) => ids.split(" "));
  const taken: ClaimedRow[] = [];
  for (const room of [3, 4, 10]) taken.push(...(await books.takeFresh(room)));
  expect(taken.map(({ eventId }) => eventId)).toEqual(all);
  expect(await books.takeFresh(10)).toEqual([]);
  expect((await books.deliveries()).every(({ leased }) => leased)).toBe(true);
});

test("events that somebody has cleared away are passed over, not waited for", async () => {
  await books.openEndpoint();
  for (let n = 0; n < 4; n++) await books.emit(30);
  await books.pool.query("delete from event_log where position <= 60");
  expect(await books.takeFresh(10)).toHaveLength(10);
  expect(await books.takeFresh(25)).toHaveLength(25);
  expect(await books.takeFresh(100)).toHaveLength(25);
});

test("what an endpoint does not want is passed over", async () => {
  await books.openEndpoint(ENDPOINT, ["card.issued"]);
  await books.emit(3, "wallet.deposited");
  await books.emit(1, "card.issued");
  const first = await books.takeFresh(3);
  expect(first.map(({ eventType }) => eventType)).toEqual([null, null, null]);
  expect((await books.takeFresh(3)).map(({ eventType }) => eventType)).toEqual(["card.issued"]);
  expect(await books.deliveries()).toHaveLength(1);
});

test("a disabled endpoint is given nothing", async () => {
  await books.openEndpoint();
  await books.emit(3);
  const [first] = await books.takeFresh(1);
  if (first !== undefined) await books.record(books.resultOf(first, { ...failure, nextAt: NOW }));
  await books.pool.query("update webhook_endpoints set status = 'Disabled'");
  expect(await books.takeFresh(5)).toEqual([]);
  expect(await books.takeDue(5)).toEqual([]);
  expect(await books.run(findBusy(LATER))).toEqual([]);
});

test("what one worker has no other takes, until its lease is over", async () => {
  await books.openEndpoint();
  await books.emit(2);
  await books.takeFresh(2);
  expect(await books.takeDue(5)).toEqual([]);
  expect(await books.run(findBusy(NOW))).toEqual([]);
  const left = await books.pool.query(
    `select count(*)::int as count from webhook_deliveries
      where lease_until between clock_timestamp() and clock_timestamp() + $1 * interval '1 millisecond'`,
    [LEASE_MS],
  );
  expect(left.rows).toEqual([{ count: 2 }]);
  await books.endLeases();
  expect(await books.run(findBusy(NOW))).toMatchObject([{ hasDue: true, hasFresh: false }]);
  expect(await books.takeDue(1)).toHaveLength(1);
  expect(await books.takeDue(5)).toHaveLength(1);
});

test("recovering goes through the range once, and takes what was never acknowledged", async () => {
  await books.openEndpoint();
  await books.emit(7);
  const [acknowledged, alsoSo, failed, waiting, inFlight] = await books.takeFresh(5);
  if (!acknowledged || !alsoSo || !failed || !waiting || !inFlight) throw new Error("Too few.");
  await books.record(
    books.resultOf(acknowledged),
    books.resultOf(alsoSo, { httpStatus: 299 }),
    books.resultOf(failed, { ...failure, nextAt: null }),
    books.resultOf(waiting, failure),
  );
  await books.pool.query(
    "update webhook_endpoints set recover_from = 'evt_', recover_until = 'evt_~'",
  );
  const taken: ClaimedRow[] = [];
  while (
    (await books.run(findBusy(NOW))).some((busy) => (busy as { hasRecovery: boolean }).hasRecovery)
  ) {
    taken.push(...(await books.run<ClaimedRow>(claimRecovered(books.rooms(2), 3, NOW))));
  }
  const { rows } = await books.pool.query("select event_id as id from events order by event_id");
  const wanted = rows
    .map(({ id }) => id)
    .filter((id) => ![acknowledged, alsoSo, inFlight].some(({ eventId }) => eventId === id));
  const found = taken.filter(({ eventType }) => eventType !== null);
  expect(found.map(({ eventId }) => eventId)).toEqual(wanted);
  expect(found.every(({ attempts }) => attempts === 0)).toBe(true);
  // Those that the feed would have brought later are on their way already.
  expect((await books.takeFresh(5)).map(({ eventType }) => eventType)).toEqual([null, null]);
});

test("recovering goes by what this endpoint has acknowledged, not another", async () => {
  await books.openEndpoint();
  await books.openEndpoint("whe_2");
  await books.emit(1);
  const [mine] = await books.takeFresh(1);
  const [theirs] = await books.takeFresh(1, 1, "whe_2");
  if (mine === undefined || theirs === undefined) throw new Error("Both were to be taken.");
  await books.record(books.resultOf(mine, { ...failure, nextAt: null }), books.resultOf(theirs));
  await books.pool.query(
    "update webhook_endpoints set recover_from = 'evt_', recover_until = 'evt_~'",
  );
  const recovered = (endpoint: string) =>
    books.run<ClaimedRow>(claimRecovered(books.rooms(2, endpoint), 3, NOW));
  expect(await recovered(ENDPOINT)).toMatchObject([{ eventType: "wallet.deposited" }]);
  expect(await recovered("whe_2")).toMatchObject([{ eventType: null }]);
});

test("what is on its way is not recovered twice at a time, but has all its attempts if it fails", async () => {
  await books.openEndpoint();
  await books.emit(2);
  for (const row of await books.takeFresh(2)) {
    await books.record(books.resultOf(row, { ...failure, nextAt: NOW }));
  }
  const [last, other] = await books.takeDue(2);
  if (last === undefined || other === undefined) throw new Error("Two were to be taken.");
  await books.pool.query(
    "update webhook_endpoints set recover_from = 'evt_', recover_until = 'evt_~'",
  );
  const found = await books.run<ClaimedRow>(claimRecovered(books.rooms(3), 3, LATER));
  expect(found.map(({ eventType }) => eventType)).toEqual([null, null]);
  await books.record(books.resultOf(last, { ...failure, nextAt: null }), books.resultOf(other));
  await books.endLeases();
  expect(await books.takeDue(2, LATER)).toMatchObject([{ eventId: last.eventId, attempts: 0 }]);
});
