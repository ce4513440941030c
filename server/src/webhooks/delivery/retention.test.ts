import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { type Books, openBooks } from "../../../test/harness/books.ts";
import { scratchDatabase } from "../../../test/harness/scratch.ts";
import { newId } from "../../foundation/ids.ts";
import { ATTEMPTS_KEPT_DAYS, Retention } from "./retention.ts";

const DAY_MS = 86_400_000;
const NOW = new Date("2026-06-30T12:00:00.000Z");
const OLD = ATTEMPTS_KEPT_DAYS + 1;
const YOUNG = ATTEMPTS_KEPT_DAYS - 1;
const clock = { now: () => NOW, nowMs: () => NOW.getTime() };

let books: Books;
let organizationId: string;
beforeAll(async () => {
  books = openBooks(await scratchDatabase());
});
afterAll(() => books.close());
beforeEach(async () => {
  await books.pool.query("truncate webhook_deliveries, webhook_attempts");
  organizationId = await books.openOrganization();
});

const daysAgo = (days: number): Date => new Date(NOW.getTime() - days * DAY_MS);

/** An event of so many days ago, with attempts of so many days ago. */
async function attempt(eventDays: number, ...attemptDays: number[]): Promise<string> {
  const eventId = newId("evt", daysAgo(eventDays).getTime());
  await books.pool.query(
    `insert into webhook_attempts (organization_id, event_id, webhook_endpoint_id, at, duration_ms)
     select $1, $2, 'whe_1', at, 1 from unnest($3::timestamptz[]) as at`,
    [organizationId, eventId, attemptDays.map(daysAgo)],
  );
  return eventId;
}

async function deliver(eventId: string, dueAt: Date | null): Promise<void> {
  await books.pool.query(
    `insert into webhook_deliveries (organization_id, webhook_endpoint_id, event_id, attempts, due_at)
     values ($1, 'whe_1', $2, 8, $3)`,
    [organizationId, eventId, dueAt],
  );
}

const eventsIn = async (table: string): Promise<string[]> =>
  (await books.pool.query(`select event_id as id from ${table} order by 1`)).rows.map(
    ({ id }) => id as string,
  );

/** Goes on until there is nothing more to do, and says in how many steps. */
async function forget(maxAtOnce?: number): Promise<number> {
  const retention = new Retention({ pool: books.pool, clock, ...(maxAtOnce ? { maxAtOnce } : {}) });
  for (let steps = 1; ; steps++) if (!(await retention.step())) return steps;
}

test("attempts go when they and their event are old, whoever's they are", async () => {
  await attempt(OLD, OLD);
  const again = await attempt(OLD, OLD, YOUNG);
  const young = await attempt(YOUNG, YOUNG);
  organizationId = await books.openOrganization();
  await attempt(OLD, OLD, OLD);
  const other = await attempt(YOUNG, YOUNG);
  await forget();
  expect(await eventsIn("webhook_attempts")).toEqual([again, young, other].toSorted());
});

test("a step does so much and no more, and all steps do everything", async () => {
  const kept: string[] = [];
  for (let n = 0; n < 10; n++) {
    await attempt(OLD + n, OLD + n, OLD + n);
    kept.push(await attempt(OLD + n, OLD, YOUNG));
  }
  expect(await forget(3)).toBeGreaterThan(40 / 3);
  expect(await eventsIn("webhook_attempts")).toEqual(kept.toSorted());
});

test("between two rounds it rests", async () => {
  const retention = new Retention({ pool: books.pool, clock });
  expect(await retention.step()).toBe(false);
  const old = await attempt(OLD, OLD);
  expect(await retention.step()).toBe(false);
  expect(await eventsIn("webhook_attempts")).toEqual([old]);
});

test("failed deliveries go with the last of their attempts; what still waits does not", async () => {
  const failed = await attempt(OLD, OLD);
  const triedLately = await attempt(OLD, OLD, YOUNG);
  const waiting = await attempt(OLD, OLD);
  const young = await attempt(YOUNG, YOUNG);
  for (const eventId of [failed, triedLately, young]) await deliver(eventId, null);
  await deliver(waiting, NOW);
  await forget(1);
  expect(await eventsIn("webhook_deliveries")).toEqual([triedLately, waiting, young].toSorted());
});

test("what a disabled endpoint was to get long ago goes; what an enabled one was to get does not", async () => {
  const kept: string[] = [];
  for (const status of ["Enabled", "Disabled"]) {
    organizationId = await books.openOrganization();
    await books.pool.query(
      `insert into webhook_endpoints (organization_id, webhook_endpoint_id, url, event_types, status,
         secret_sealed, position, created_at)
       values ($1, 'whe_1', 'https://example.com', '{}', $2, '', 0, $3)`,
      [organizationId, status, NOW],
    );
    const [old, dueLately] = [await attempt(OLD, OLD), await attempt(OLD, OLD)];
    await deliver(old, daysAgo(OLD));
    await deliver(dueLately, daysAgo(YOUNG));
    kept.push(dueLately, ...(status === "Enabled" ? [old] : []));
  }
  await forget();
  expect(await eventsIn("webhook_deliveries")).toEqual(kept.toSorted());
});
