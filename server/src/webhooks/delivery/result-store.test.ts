import { describe, expect, test } from "vitest";
import { until } from "../../../test/harness/eventually.ts";
import { lockWaiters } from "../../../test/harness/lock-waiters.ts";
import {
  ENDPOINT,
  failure,
  LATER,
  NOW,
  type WebhookBooks,
  webhookBooks,
} from "../../../test/harness/webhook-books.ts";
import type { Connection } from "../../db/pool.ts";
import { transaction } from "../../db/transaction.ts";
import { resendEvent } from "../events/delivery-store.ts";
import { findEvent } from "../events/store.ts";
import { type ClaimedRow, claimRecovered, findBusy } from "./claim-store.ts";
import { bringForward, holdBack, recordAttempts, release } from "./result-store.ts";

let books: WebhookBooks;
webhookBooks((opened) => {
  books = opened;
});

test("an acknowledged delivery is gone, a failed one waits for its time", async () => {
  await books.openEndpoint();
  await books.emit(2);
  const [one, two] = await books.takeFresh(2);
  if (one === undefined || two === undefined) throw new Error("Two were to be taken.");
  await books.record(books.resultOf(one), books.resultOf(two, failure));
  expect(await books.deliveries()).toEqual([
    { eventId: two.eventId, attempts: 1, dueAt: LATER, leased: false },
  ]);
  expect(await books.takeDue(5)).toEqual([]);
  expect(await books.takeDue(5, LATER)).toMatchObject([{ eventId: two.eventId, attempts: 1 }]);
});

test("the last failure leaves it as failed, and nobody takes it any more", async () => {
  await books.openEndpoint();
  await books.emit(1);
  const [one] = await books.takeFresh(1);
  if (one !== undefined) await books.record(books.resultOf(one, { ...failure, nextAt: null }));
  expect(await books.deliveries()).toMatchObject([{ attempts: 1, dueAt: null }]);
  expect(await books.takeDue(5, LATER)).toEqual([]);
  expect(await books.run(findBusy(LATER))).toEqual([]);
});

test("a worker that was thought dead changes nothing that its successor did", async () => {
  await books.openEndpoint();
  await books.emit(1);
  const [slow] = await books.takeFresh(1);
  await books.endLeases();
  const [quick] = await books.takeDue(1);
  if (slow === undefined || quick === undefined) throw new Error("It was to be taken twice.");
  await books.record(books.resultOf(quick, { ...failure, nextAt: LATER }));
  await books.record(books.resultOf(slow, { ...failure, nextAt: NOW }));
  expect(await books.deliveries()).toMatchObject([{ attempts: 1, dueAt: LATER }]);
  // Unless it was acknowledged: then it has arrived, whatever else was thought.
  await books.record(books.resultOf(slow));
  expect(await books.deliveries()).toEqual([]);
});

describe("what is to be sent anew while it is on its way", () => {
  /** Takes an event and has it resent before anything is heard of it. */
  async function resendTaken(): Promise<ClaimedRow> {
    await books.openEndpoint();
    await books.emit(1);
    const [first] = await books.takeFresh(1);
    if (first === undefined) throw new Error("One was to be taken.");
    await resend(first);
    return first;
  }

  async function resend({ eventId }: ClaimedRow, db: Connection = books.pool): Promise<void> {
    const { organizationId } = books;
    const event = await findEvent(books.pool, organizationId, eventId);
    if (event !== undefined) await resendEvent(db, organizationId, event, NOW);
  }

  test("is not sent twice at a time, and outlives the acknowledgement of what was on its way", async () => {
    const first = await resendTaken();
    expect(await books.takeDue(1)).toEqual([]);
    await books.record(books.resultOf(first));
    const [second] = await books.takeDue(1);
    expect(second).toMatchObject({ eventId: first.eventId, attempts: 0 });
    if (second !== undefined) await books.record(books.resultOf(second));
    expect(await books.deliveries()).toEqual([]);
  });

  test("is sent once more, however often what was on its way is acknowledged", async () => {
    const first = await resendTaken();
    await books.record(books.resultOf(first), books.resultOf(first));
    await books.record(books.resultOf(first));
    expect(await books.deliveries()).toEqual([
      { eventId: first.eventId, attempts: 0, dueAt: NOW, leased: false },
    ]);
  });

  test("has failed once, where what was on its way was acknowledged and failed", async () => {
    const first = await resendTaken();
    await books.record(books.resultOf(first), books.resultOf(first, failure));
    expect(await books.deliveries()).toMatchObject([{ attempts: 1, leased: false }]);
  });

  test("is still to be sent when that is asked for while an acknowledgement is recorded", async () => {
    await books.openEndpoint();
    await books.emit(1);
    const [first] = await books.takeFresh(1);
    if (first === undefined) throw new Error("One was to be taken.");
    let recording = Promise.resolve();
    await transaction(books.pool, async (tx) => {
      await resend(first, tx);
      recording = books.record(books.resultOf(first));
      await until("the acknowledgement waits", async () => (await lockWaiters(books.pool)) === 1);
    });
    await recording;
    expect(await books.deliveries()).toMatchObject([{ attempts: 0, leased: false }]);
  });

  test("has all its attempts, whatever came of those before", async () => {
    const first = await resendTaken();
    await books.record(books.resultOf(first, { ...failure, nextAt: null }));
    const [second] = await books.takeDue(1);
    expect(second).toMatchObject({ eventId: first.eventId, attempts: 0 });
    if (second !== undefined) await books.record(books.resultOf(second, failure));
    expect(await books.deliveries()).toMatchObject([{ attempts: 1, dueAt: LATER }]);
  });

  test("is still to be sent when it is recovered meanwhile", async () => {
    const first = await resendTaken();
    await books.pool.query(
      "update webhook_endpoints set recover_from = 'evt_', recover_until = 'evt_~'",
    );
    await books.run(claimRecovered(books.rooms(1), 3, NOW));
    await books.record(books.resultOf(first));
    expect(await books.takeDue(1)).toMatchObject([{ eventId: first.eventId, attempts: 0 }]);
  });

  test("is still to be sent when it was given up for lost, and is acknowledged after all", async () => {
    await books.openEndpoint();
    await books.emit(1);
    const [slow] = await books.takeFresh(1);
    if (slow === undefined) throw new Error("One was to be taken.");
    await books.endLeases();
    await resend(slow);
    await books.record(books.resultOf(slow));
    expect(await books.takeDue(1)).toMatchObject([{ eventId: slow.eventId, attempts: 0 }]);
  });

  test("is not for an endpoint that is disabled", async () => {
    await books.openEndpoint("whe_2");
    await books.pool.query("update webhook_endpoints set status = 'Disabled'");
    await resendTaken();
    const { rows } = await books.pool.query(
      "select webhook_endpoint_id as id from webhook_deliveries",
    );
    expect(rows).toEqual([{ id: ENDPOINT }]);
  });

  test("is still to be sent when whoever had it is dead", async () => {
    const first = await resendTaken();
    await books.endLeases();
    const [second] = await books.takeDue(1);
    expect(second).toMatchObject({ eventId: first.eventId, attempts: 0 });
    if (second !== undefined) await books.record(books.resultOf(second, failure));
    expect(await books.deliveries()).toMatchObject([{ attempts: 1, dueAt: LATER }]);
  });
});

test("what was taken and never sent can be given back, by whoever has it", async () => {
  await books.openEndpoint();
  await books.emit(1);
  const taken = await books.takeFresh(1, 7);
  await books.run(release(taken, 8));
  expect(await books.takeDue(1)).toEqual([]);
  await books.run(release(taken, 7));
  expect(await books.takeDue(1)).toHaveLength(1);
});

test("it can be held back by whoever has it, and brought forward while it is held back until then", async () => {
  const HELD = new Date(NOW.getTime() + 1_000);
  await books.openEndpoint();
  await books.emit(1);
  const [taken] = await books.takeFresh(1, 7);
  if (taken === undefined) throw new Error("One was to be taken.");
  await books.run(holdBack(taken, 8, HELD));
  expect(await books.deliveries()).toMatchObject([{ dueAt: NOW, leased: true }]);
  await books.run(holdBack(taken, 7, HELD));
  expect(await books.deliveries()).toMatchObject([{ attempts: 0, dueAt: HELD, leased: false }]);
  await books.run(bringForward(taken, LATER, NOW));
  expect(await books.deliveries()).toMatchObject([{ dueAt: HELD }]);
  await books.run(bringForward(taken, HELD, NOW));
  expect(await books.takeDue(1)).toHaveLength(1);
});

test("the health of an endpoint follows its attempts", async () => {
  await books.openEndpoint();
  await books.emit(3);
  const [one, two, three] = await books.takeFresh(3);
  if (one === undefined || two === undefined || three === undefined) throw new Error("Too few.");
  const failingSince = async () =>
    (await books.pool.query(`select failing_since as at, failed_at as last from webhook_endpoints`))
      .rows[0];
  await books.record(books.resultOf(one, failure));
  expect(await failingSince()).toEqual({ at: NOW, last: NOW });
  for (const statement of recordAttempts([books.resultOf(two, failure)], LATER))
    await books.run(statement);
  expect(await failingSince()).toEqual({ at: NOW, last: LATER });
  // One acknowledgement among failures is enough.
  await books.record(books.resultOf(two, { ...failure, attempts: 1 }), books.resultOf(three));
  expect(await failingSince()).toEqual({ at: null, last: null });
});
