import { expect, test } from "vitest";
import {
  ENDPOINT,
  NOW,
  type WebhookBooks,
  webhookBooks,
} from "../../../test/harness/webhook-books.ts";
import { type ClaimedRow, claimRecovered } from "../delivery/claim-store.ts";
import { startRecovery, updateEndpoint } from "./store.ts";
import { keepWaiting, takeUpWaiting } from "./waiting.ts";

let books: WebhookBooks;
webhookBooks((opened) => {
  books = opened;
});

const keyOf = ({ organizationId }: WebhookBooks) => ({
  organizationId,
  webhookEndpointId: ENDPOINT,
});

test("what an endpoint is behind with is taken up in steps, each event once and only what it wants", async () => {
  await books.openEndpoint(ENDPOINT, ["wallet.deposited"]);
  for (let n = 0; n < 75; n++) {
    await books.writeEvents(2);
    await books.writeEvents(1, "card.issued");
  }
  await books.emit(1);
  expect(await takeUpWaiting(books.pool, keyOf(books), NOW)).toBe(true);
  expect(await takeUpWaiting(books.pool, keyOf(books), NOW)).toBe(false);
  expect(await takeUpWaiting(books.pool, keyOf(books), NOW)).toBe(false);
  const { rows } = await books.pool.query(
    `select event_type as type, count(*)::int as count
       from webhook_deliveries join events using (organization_id, event_id) group by 1`,
  );
  expect(rows).toEqual([{ type: "wallet.deposited", count: 151 }]);
  expect(await books.takeFresh(5)).toEqual([]);
});

test("nothing is taken up for an endpoint that is disabled: it is sent what happens once it is enabled", async () => {
  await books.openEndpoint();
  await updateEndpoint(books.pool, books.organizationId, ENDPOINT, { status: "Disabled" });
  await books.emit(1);
  expect(await takeUpWaiting(books.pool, keyOf(books), NOW)).toBe(false);
  expect(await books.deliveries()).toEqual([]);
});

test("two recoveries together go from where the earlier begins to where the later ends", async () => {
  const { pool, organizationId } = books;
  await books.openEndpoint();
  const ranges: [string, string][] = [
    ["evt_3", "evt_6"],
    ["evt_1", "evt_4"],
    ["evt_2", "evt_5"],
  ];
  for (const [fromId, untilId] of ranges) {
    await startRecovery(pool, organizationId, ENDPOINT, { fromId, untilId });
  }
  const { rows } = await pool.query(
    `select recover_from as "fromId", recover_until as "untilId" from webhook_endpoints`,
  );
  expect(rows).toEqual([{ fromId: "evt_1", untilId: "evt_6" }]);
});

test("what waits is kept for an endpoint even if the clock that dated it is ahead", async () => {
  await books.openEndpoint();
  await books.emit(3);
  const aMinuteAgoMs = NOW.getTime() - 60_000;
  await keepWaiting(books.pool, { ...keyOf(books), position: 0n }, aMinuteAgoMs);
  await updateEndpoint(books.pool, books.organizationId, ENDPOINT, { status: "Disabled" });
  await updateEndpoint(books.pool, books.organizationId, ENDPOINT, { status: "Enabled" });
  const rows = await books.run<ClaimedRow>(claimRecovered(books.rooms(5), 1, NOW));
  expect(rows.filter(({ eventType }) => eventType === "wallet.deposited")).toHaveLength(3);
});
