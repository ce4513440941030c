import { expect, test } from "vitest";
import { type WebhookBooks, webhookBooks } from "../../../test/harness/webhook-books.ts";
import { placeEntries } from "./feed-store.ts";

let books: WebhookBooks;
webhookBooks((opened) => {
  books = opened;
});

test("events are given positions without gaps, organization by organization", async () => {
  await books.writeEvents(3);
  const ours = books.organizationId;
  books.organizationId = await books.openOrganization();
  await books.writeEvents(2);
  await books.run(placeEntries(0n));
  await books.writeEvents(1);
  books.organizationId = ours;
  await books.writeEvents(4);
  await books.writeEvents(1);
  await books.run(placeEntries(0n));
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
  await books.writeEvents(1);
  expect(await books.run(placeEntries(1_000_000n))).toEqual([]);
  expect(await books.run(placeEntries(0n))).toHaveLength(1);
});
