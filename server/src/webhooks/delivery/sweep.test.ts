import { expect, test } from "vitest";
import {
  ENDPOINT,
  failure,
  LATER,
  NOW,
  type WebhookBooks,
  webhookBooks,
} from "../../../test/harness/webhook-books.ts";
import { createLog } from "../../foundation/log.ts";
import { updateEndpoint } from "../endpoints/store.ts";
import { type ClaimedRow, claimRecovered } from "./claim-store.ts";
import { placeEntries } from "./feed-store.ts";
import { DISABLE_AFTER_MS, LONGEST_DELAY_MS } from "./schedule.ts";
import { deleteOrphans, disableFailing, hastenStrays } from "./sweep.ts";

let books: WebhookBooks;
webhookBooks((opened) => {
  books = opened;
});

test("what was planned while the clock was ahead is due at once, and nothing else", async () => {
  await books.openEndpoint();
  await books.openEndpoint("whe_2");
  await books.emit(3);
  const [last, stray, over] = await books.takeFresh(3);
  const [other] = await books.takeFresh(1, 1, "whe_2");
  if (!last || !stray || !over || !other) throw new Error("Four were to be taken.");
  const longest = new Date(NOW.getTime() + LONGEST_DELAY_MS);
  const longer = new Date(longest.getTime() + 2 * 3_600_000);
  await books.record(
    books.resultOf(last, { ...failure, nextAt: longest }),
    books.resultOf(stray, { ...failure, nextAt: longer }),
    books.resultOf(over, { ...failure, nextAt: null }),
    books.resultOf(other, { ...failure, nextAt: longer }),
  );
  await hastenStrays(books.pool, NOW);
  expect(await books.takeDue(5)).toMatchObject([{ eventId: stray.eventId, attempts: 1 }]);
  expect(await books.takeDue(5, longest)).toMatchObject([{ eventId: last.eventId }]);
});

test.each<[string, number, number | null, boolean, boolean]>([
  ["failed for five days, with more to be tried", 0, DISABLE_AFTER_MS, true, true],
  ["failed for five days, with nothing to be tried", 0, DISABLE_AFTER_MS, false, true],
  ["failed at first, and was not tried since", 0, 0, true, false],
  ["failed at first, and nothing is left to be tried", 0, 0, false, true],
  ["not failed for long", 1, DISABLE_AFTER_MS - 1, true, false],
  ["not failed at all", 0, null, true, false],
])("disabled: %s", async (_what, startMs, lastMs, hasMore, expected) => {
  await books.openEndpoint();
  const start = NOW.getTime() - DISABLE_AFTER_MS;
  await books.pool.query("update webhook_endpoints set failing_since = $1, failed_at = $2", [
    lastMs === null ? null : new Date(start + startMs),
    lastMs === null ? null : new Date(start + lastMs),
  ]);
  await books.emit(1);
  await books.takeFresh(1);
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

test("what a disabled endpoint had not come to is recovered when it is enabled again", async () => {
  await books.openEndpoint();
  await books.emit(2);
  const [taken] = await books.takeFresh(1);
  if (!taken) throw new Error("One was to be taken.");
  await books.record(books.resultOf(taken));
  await books.pool.query("update webhook_endpoints set failing_since = $1, failed_at = $1", [
    new Date(NOW.getTime() - DISABLE_AFTER_MS),
  ]);
  const clock = { now: () => LATER, nowMs: () => LATER.getTime() };
  const log = createLog({ level: "silent" });
  expect(await disableFailing({ pool: books.pool, clock, log })).toBe(1);
  await books.run(placeEntries(0n));
  await updateEndpoint(books.pool, books.organizationId, ENDPOINT, { status: "Enabled" });
  expect(await books.takeFresh(5)).toEqual([]);
  const recovered = await books.run<ClaimedRow>(claimRecovered(books.rooms(5), 1, LATER));
  const waited = recovered.filter(({ eventType }) => eventType !== null);
  expect(waited).toMatchObject([{ eventType: "wallet.deposited" }]);
  expect(waited[0]?.eventId).not.toBe(taken.eventId);
});

test("deliveries of a deleted endpoint are cleared away, and no others", async () => {
  await books.openEndpoint();
  await books.openEndpoint("whe_2");
  await books.emit(3);
  await books.takeFresh(3);
  await books.takeFresh(3, 1, "whe_2");
  await books.pool.query("delete from webhook_endpoints where webhook_endpoint_id = 'whe_2'");
  expect(await deleteOrphans(books.pool)).toBe(false);
  const { rows } = await books.pool.query(
    "select distinct webhook_endpoint_id as id from webhook_deliveries",
  );
  expect(rows).toEqual([{ id: ENDPOINT }]);
});
