import { afterAll, beforeAll, expect, test } from "vitest";
import { type Books, openBooks } from "../../../test/harness/books.ts";
import { scratchDatabase } from "../../../test/harness/scratch.ts";
import { type EndpointChange, type EndpointStatus, updateEndpoint } from "./store.ts";

const SINCE = new Date("2026-01-31T12:00:00.000Z");
const URL_1 = "https://hooks.example.com/one";
const URL_2 = "https://hooks.example.com/two";

let books: Books;
beforeAll(async () => {
  books = openBooks(await scratchDatabase());
});
afterAll(() => books.close());

test.each<[string, EndpointStatus, EndpointChange, Date | null]>([
  ["is elsewhere now", "Enabled", { url: URL_2 }, null],
  ["is where it was", "Enabled", { url: URL_1 }, SINCE],
  ["wants other events", "Enabled", { eventTypes: ["card.issued"] }, SINCE],
  ["is enabled, as it was", "Enabled", { status: "Enabled" }, SINCE],
  ["is enabled again", "Disabled", { status: "Enabled" }, null],
  ["is disabled", "Enabled", { status: "Disabled" }, SINCE],
])("an endpoint that has failed and %s", async (_what, status, change, expected) => {
  const organizationId = await books.openOrganization();
  await books.pool.query(
    `insert into webhook_endpoints (organization_id, webhook_endpoint_id, url, event_types, status,
       secret_sealed, position, failing_since, failed_at, created_at)
     values ($1, 'whe_1', $2, '{}', $3, '', 0, $4, $4, $4)`,
    [organizationId, URL_1, status, SINCE],
  );
  await updateEndpoint(books.pool, organizationId, "whe_1", change);
  const { rows } = await books.pool.query(
    `select failing_since as since, failed_at as last from webhook_endpoints where organization_id = $1`,
    [organizationId],
  );
  expect(rows).toEqual([{ since: expected, last: expected }]);
});
