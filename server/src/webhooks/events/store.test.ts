import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Books, openBooks } from "../../../test/harness/books.ts";
import { scratchDatabase } from "../../../test/harness/scratch.ts";
import type { Connection } from "../../db/pool.ts";
import { firstId, newId } from "../../foundation/ids.ts";
import { placeEntries } from "../delivery/feed-store.ts";
import { type EventFilter, listEvents, readFeed } from "./store.ts";

/** More than one look sees, in either order. */
const EVENTS = 23_000;
/** One event in so many is of the type that is searched for, and one in so many of the card. */
const RARE = 3_000;
const SCARCE = 90;
const ALWAYS = { from: undefined, to: undefined };
const CARD = "card_0000000000000000000000000a";

let books: Books;
let organizationId: string;
/** Without the last digits of an id, which count the events. */
const start = firstId("evt", Date.parse("2026-01-31T12:00:00.000Z")).slice(0, 14);
const idOf = (n: number): string => start + String(n).padStart(16, "0");

beforeAll(async () => {
  books = openBooks(await scratchDatabase());
  organizationId = await books.openOrganization();
  await emit(1, EVENTS);
  // Commits of one event, of several, and of more than a page.
  await books.pool.query(
    `insert into event_log (organization_id, event_ids, events)
     select $1, string_agg($2 || lpad(n::text, 16, '0'), ' ' order by n), count(*)
       from generate_series(1, ${EVENTS}) n
      group by case when n <= 7000 then n when n <= 15000 then 7000 + n / 7 else 20000 + n / 150 end
      order by min(n)`,
    [organizationId, start],
  );
  for (let hasMore = true; hasMore; ) {
    const { text, values = [] } = placeEntries(0n);
    hasMore = ((await books.pool.query(text, values)).rowCount ?? 0) > 0;
  }
});
afterAll(() => books.close());

async function emit(from: number, to: number): Promise<void> {
  await books.pool.query(
    `insert into events (organization_id, event_id, event_type, card_id, data, created_at)
     select $1, $2 || lpad(n::text, 16, '0'),
            case when n % ${RARE} = 1 then 'card.issued' else 'card.updated' end,
            case when n % ${SCARCE} = 0 then $3 end, '{}', now()
       from generate_series($4::int, $5::int) n`,
    [organizationId, start, CARD, from, to],
  );
}

/** Follows the feed until it leads no further. */
async function follow(filter: EventFilter, limit: number): Promise<string[]> {
  const ids: string[] = [];
  for (let after = 0n; ; ) {
    const { rows, nextKey = "" } = await readFeed(books.pool, organizationId, filter, {
      limit,
      after,
    });
    ids.push(...rows.map(({ eventId }) => eventId));
    if (BigInt(nextKey) === after) return ids;
    after = BigInt(nextKey);
  }
}

/** Reads the list to its end. */
async function leafThrough(
  filter: EventFilter,
  limit: number,
  db: Connection = books.pool,
): Promise<string[]> {
  const ids: string[] = [];
  for (let before: string | undefined; ; ) {
    const page = await listEvents(db, organizationId, filter, { limit, before });
    ids.push(...page.rows.map(({ eventId }) => eventId));
    if (page.nextKey === undefined) return ids;
    before = page.nextKey;
  }
}

const numbers = Array.from({ length: EVENTS }, (_, index) => index + 1);
const rare = numbers.filter((n) => n % RARE === 1).map(idOf);
const scarce = numbers.filter((n) => n % SCARCE === 0).map(idOf);

test.each<[string, number, EventFilter, string[]]>([
  ["a rare type", 1, { type: "card.issued", range: ALWAYS }, rare],
  ["a rare type", 3, { type: "card.issued", range: ALWAYS }, rare],
  ["a rare type", 100, { type: "card.issued", range: ALWAYS }, rare],
  ["a card", 7, { cardId: CARD, range: ALWAYS }, scarce],
  ["a card", 100, { cardId: CARD, range: ALWAYS }, scarce],
  ["what nobody has", 20, { type: "card.frozen", range: ALWAYS }, []],
])(
  "a search for %s, %i a page, finds all of it once in either order",
  async (_what, limit, filter, expected) => {
    expect(await follow(filter, limit)).toEqual(expected);
    expect(await leafThrough(filter, limit)).toEqual(expected.toReversed());
  },
);

describe("what happened after all that", () => {
  const LATER_MS = Date.parse("2026-01-31T13:00:00.000Z");
  const card = newId("card", LATER_MS);
  const eventIds = Array.from({ length: 3 }, () => newId("evt", LATER_MS)).sort();
  let busyId: string;

  beforeAll(async () => {
    busyId = await books.openOrganization();
    await books.pool.query(
      `insert into event_log (organization_id, event_ids, events, position)
       select $1, event_ids, events, position from event_log where organization_id = $2
       union all values ($1, $3, 2, ${EVENTS + 2}), ($1, $4, 1, ${EVENTS + 3})`,
      [busyId, organizationId, eventIds.slice(0, 2).reverse().join(" "), eventIds[2]],
    );
    await books.pool.query(
      `insert into events (organization_id, event_id, event_type, card_id, client_reference, data, created_at)
       select $1, unnest($2::text[]), 'card.updated', $3, 'late', '{}', now()`,
      [busyId, eventIds, card],
    );
  });

  test.each<[string, EventFilter]>([
    ["a time", { range: { from: new Date(LATER_MS), to: undefined } }],
    ["a client reference", { clientReference: "late", range: ALWAYS }],
  ])("is on the first page of a feed of %s", async (_what, filter) => {
    const first = await readFeed(books.pool, busyId, filter, { limit: 2, after: 0n });
    expect(first.rows.map(({ eventId }) => eventId).sort()).toEqual(eventIds.slice(0, 2));
    const after = BigInt(first.nextKey ?? 0);
    const second = await readFeed(books.pool, busyId, filter, { limit: 2, after });
    expect(second).toMatchObject({
      rows: [{ eventId: eventIds[2] }],
      nextKey: String(EVENTS + 3),
    });
  });

  test("is not there for a client reference that nobody has", async () => {
    const filter = { clientReference: "nobody", range: ALWAYS };
    const page = await readFeed(books.pool, busyId, filter, { limit: 2, after: 0n });
    expect(page).toEqual({ rows: [], nextKey: String(EVENTS + 3) });
  });
});

test("the whole feed has everything once", async () => {
  expect(await follow({ range: ALWAYS }, 100)).toEqual(numbers.map(idOf));
});

test("a search tells nothing twice, however much happens meanwhile", async () => {
  let last = EVENTS;
  const busy = Object.create(books.pool) as Connection;
  busy.query = (async (...asked: [string, unknown[]]) => {
    const answer = await books.pool.query(...asked);
    await emit(last + 1, last + RARE);
    last += RARE;
    return answer;
  }) as Connection["query"];
  const filter: EventFilter = { type: "card.issued", range: ALWAYS };
  expect(await leafThrough(filter, 100, busy)).toEqual(rare.toReversed());
});
