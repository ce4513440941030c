import { expect, test } from "vitest";
import { until } from "../../../test/harness/eventually.ts";
import { type WebhookBooks, webhookBooks } from "../../../test/harness/webhook-books.ts";
import { releaseDeadSeats, WorkerSeat } from "./seat.ts";

let books: WebhookBooks;
webhookBooks((opened) => {
  books = opened;
});

test("a worker's seat shows that it lives, and frees what it had when it does not", async () => {
  await books.openEndpoint();
  await books.emit(4);
  const [dead, living] = [new WorkerSeat(books.url), new WorkerSeat(books.url)];
  const deadId = await dead.workerId();
  expect(await dead.workerId()).toBe(deadId);
  await books.takeFresh(2, deadId);
  await books.takeFresh(2, await living.workerId());
  expect(await releaseDeadSeats(books.pool)).toBe(0);
  const { rows } = await books.pool.query(
    `select pg_terminate_backend(l.pid) from pg_locks l join pg_database d on d.oid = l.database
      where d.datname = current_database() and l.locktype = 'advisory' and l.objid = $1`,
    [deadId],
  );
  expect(rows).toHaveLength(1);
  await until("its lock is gone", async () => (await releaseDeadSeats(books.pool)) === 2);
  expect(await books.takeDue(5)).toHaveLength(2);
  // It takes another seat when it is asked again.
  expect(await dead.workerId()).not.toBe(deadId);
  await dead.leave();
  await living.leave();
});
