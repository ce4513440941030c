import { expect, test } from "vitest";
import {
  failure,
  NOW,
  type WebhookBooks,
  webhookBooks,
} from "../../../test/harness/webhook-books.ts";
import { measureBacklog, noBacklog } from "./backlog.ts";

let books: WebhookBooks;
webhookBooks((opened) => {
  books = opened;
});

test("without endpoints nothing waits, however much has happened", async () => {
  await books.emit(3);
  expect(await measureBacklog(books.pool)).toEqual(noBacklog);
});

test("an event waits once for each endpoint, until it is acknowledged or given up", async () => {
  await books.openEndpoint();
  await books.openEndpoint("whe_2");
  await books.emit(3);
  expect(await measureBacklog(books.pool)).toMatchObject({ events: 6, deliveries: 0 });

  const [first, second, third] = await books.takeFresh(3);
  if (!first || !second || !third) throw new Error("Three were to be taken.");
  expect(await measureBacklog(books.pool)).toMatchObject({ events: 3, deliveries: 3 });
  expect(await measureBacklog(books.pool, 2)).toMatchObject({ deliveries: 2 });

  await books.record(
    books.resultOf(first),
    books.resultOf(second, { ...failure, nextAt: NOW }),
    books.resultOf(third, { ...failure, nextAt: null }),
  );
  expect(await measureBacklog(books.pool)).toMatchObject({ events: 3, deliveries: 1 });
});

test("tells apart endpoints that take what they get, that fail, and that are off; these wait for nothing", async () => {
  for (const id of ["whe_1", "whe_2", "whe_3", "whe_4"]) await books.openEndpoint(id);
  await books.pool.query(
    `update webhook_endpoints set failing_since = $1 where webhook_endpoint_id in ('whe_2', 'whe_3')`,
    [NOW],
  );
  await books.pool.query(
    `update webhook_endpoints set status = 'Disabled' where webhook_endpoint_id in ('whe_3', 'whe_4')`,
  );
  await books.emit(1);
  expect(await measureBacklog(books.pool)).toMatchObject({
    events: 2,
    endpoints: { healthy: 1, failing: 1, disabled: 2 },
  });
});
