import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Card, cardStatuses, cardTypes } from "../src/cards/card.ts";
import { newId } from "../src/foundation/ids.ts";
import { expectEnvelope, expectRefusal, fieldsOf } from "./harness/answers.ts";
import type { ApiAnswer, ApiClient } from "./harness/api-client.ts";
import { type Bank, openBank } from "./harness/bank.ts";
import { openCard } from "./harness/cards.ts";
import { openCustomer } from "./harness/customers.ts";
import type { Organization } from "./harness/operator.ts";

const MARCH_MS = Date.parse("2026-03-01T00:00:00.000Z");
const HOUR_MS = 3_600_000;

let bank: Bank;
let us: Organization;
/** Oldest first. */
let cards: Card[];
const customers = [newId("cus", 1), newId("cus", 2)];

beforeAll(async () => {
  bank = await openBank();
  us = await bank.foundAnother();
  cards = [];
  const kinds = cardStatuses.flatMap((status) => cardTypes.map((type) => ({ status, type })));
  // 54 cards, one every hour, of all kinds but a few.
  for (let n = 0; n < 54; n++) {
    const { status, type } = kinds[(n * 5) % kinds.length] ?? { status: "Active", type: "Retail" };
    const isNaira = n % 4 === 0 && type !== "Lite";
    const atMs = MARCH_MS + n * HOUR_MS;
    const card = await openCard(bank.pool, us.organizationId, {
      cardId: newId("card", atMs),
      createdAt: new Date(atMs),
      customerId: customers[n % 2] ?? "",
      status,
      type,
      currency: isNaira ? "NGN" : "USD",
      programmeId: isNaira ? "ngn-ng" : "usd-us",
      terminatedAt: status === "Terminated" ? new Date(atMs) : null,
      swipeCount: type === "Lite" ? 3 : null,
    });
    cards.push(card);
  }
});
afterAll(() => bank.stop());

const list = (query: string, client: ApiClient = us.client): Promise<ApiAnswer> =>
  client.get(`/cards${query}`);

const idsOf = ({ body }: ApiAnswer): string[] =>
  body.data.map(({ cardId }: { cardId: string }) => cardId);

const newestFirst = (wanted: readonly Card[]): string[] =>
  wanted.map(({ cardId }) => cardId).toReversed();

/** Every id that a filter finds, read page by page. */
async function walk(filter: string, limit: number): Promise<string[]> {
  const ids: string[] = [];
  let cursor: string | null = null;
  do {
    const next: string = cursor === null ? "" : `&cursor=${cursor}`;
    const answer = await list(`?limit=${limit}${filter}${next}`);
    expectEnvelope(answer);
    expect(answer.body.data.length).toBeLessThanOrEqual(limit);
    ids.push(...idsOf(answer));
    cursor = answer.body.pagination.nextCursor;
  } while (cursor !== null);
  return ids;
}

describe("a list of cards", () => {
  test("is newest first, twenty at a time", async () => {
    const answer = await list("");
    expectEnvelope(answer);
    expect(idsOf(answer)).toEqual(newestFirst(cards).slice(0, 20));
    expect(answer.body.pagination).toEqual({ limit: 20, nextCursor: expect.any(String) });
  });

  test.each([1, 7, 18, 53, 54, 100])("is whole when read %i at a time", async (limit) => {
    expect(await walk("", limit)).toEqual(newestFirst(cards));
  });

  test("shows each card as its details do", async () => {
    const { body } = await list("?limit=100");
    for (const card of body.data.slice(0, 5)) {
      expect((await us.client.get(`/cards/${card.cardId}`)).body.data).toEqual(card);
    }
  });

  test("shows balances of now", async () => {
    const customerId = await openCustomer(bank.pool, bank.organizationId);
    const issued = await bank.client.post("/cards/retail", { customerId, initialBalance: 4 });
    const { cardId } = issued.body.data;
    await bank.client.post(`/cards/${cardId}/top-up`, { amount: 1 });
    const { body } = await list(`?customerId=${customerId}`, bank.client);
    expect(body.data).toEqual([{ ...issued.body.data, balance: 5, availableBalance: 5 }]);
    expect(body.pagination).toEqual({ limit: 20, nextCursor: null });
  });
});

describe("filters", () => {
  const any = [undefined];
  const combinations = [...any, ...cardStatuses].flatMap((status) =>
    [...any, ...cardTypes].flatMap((type) =>
      [...any, "USD", "NGN", "EUR"].flatMap((currency) =>
        [...any, ...customers].map((customerId) => ({ status, type, currency, customerId })),
      ),
    ),
  );

  test("find, in every combination, what they say and nothing else", async () => {
    for (const filter of combinations) {
      const given = Object.entries(filter).filter(([, value]) => value !== undefined);
      const wanted = cards.filter((card) =>
        given.every(([name, value]) => card[name as keyof Card] === value),
      );
      const query = given.map(([name, value]) => `&${name}=${value}`).join("");
      const answer = await list(`?limit=100${query}`);
      expect({ query, ids: idsOf(answer) }).toEqual({ query, ids: newestFirst(wanted) });
    }
  });

  test.each(["&status=Frozen", "&type=Lite&currency=USD", `&customerId=${customers[0]}`])(
    "go on from page to page: %s",
    async (filter) => {
      const all = idsOf(await list(`?limit=100${filter}`));
      expect(all.length).toBeGreaterThan(10);
      expect(await walk(filter, 4)).toEqual(all);
    },
  );

  const at = (hour: number): string => new Date(MARCH_MS + hour * HOUR_MS).toISOString();

  test.each([
    ["from an hour on", `from=${at(50)}`, [50, 54]],
    ["up to an hour, without it", `to=${at(3)}`, [0, 3]],
    ["between hours", `from=${at(5)}&to=${at(9)}`, [5, 9]],
    ["of a moment", `from=${at(5)}&to=${at(5)}`, [5, 5]],
    ["of a day", "from=2026-03-02&to=2026-03-02", [24, 48]],
    ["of days", "from=2026-03-01&to=2026-03-02", [0, 48]],
    ["long ago", "to=1969-12-31", [0, 0]],
    ["far ahead", "from=2200-01-01", [54, 54]],
  ])("by time: %s", async (_what, query, [first, end]) => {
    const wanted = newestFirst(cards.slice(first, end));
    expect(idsOf(await list(`?limit=100&${query}`))).toEqual(wanted);
    expect(await walk(`&${query}`, 5)).toEqual(wanted);
    const active = cards.slice(first, end).filter(({ status }) => status === "Active");
    expect(idsOf(await list(`?limit=100&${query}&status=Active`))).toEqual(newestFirst(active));
  });
});

describe("what cannot be asked for", () => {
  test.each([
    ["status=Lost", "status"],
    ["status=active", "status"],
    ["status=", "status"],
    ["status=Active&status=Frozen", "status"],
    ["type=Debit", "type"],
    ["currency=XXX", "currency"],
    ["customerId=7", "customerId"],
    ["limit=0", "limit"],
    ["limit=101", "limit"],
    ["limit=ten", "limit"],
    ["cursor=abc", "cursor"],
    [`cursor=${Buffer.from(newId("cus", 0)).toString("base64url")}`, "cursor"],
    ["colour=red", "colour"],
  ])("%s: 400/131", async (query, field) => {
    const answer = await list(`?${query}`);
    expectRefusal(answer, "400/131");
    expect(fieldsOf(answer)).toEqual([field]);
  });

  test.each(["from=yesterday", "to=2026-02-30", "from=2026-03-02&to=2026-03-01"])(
    "%s: 400/132",
    async (query) => expectRefusal(await list(`?${query}`), "400/132"),
  );
});

test("an organization sees its own cards only", async () => {
  const another = await bank.foundAnother();
  expect(idsOf(await list("", another.client))).toEqual([]);
  for (const query of [`?customerId=${customers[0]}`, "?status=Active", "?currency=USD"]) {
    const answer = await list(query, another.client);
    expect(answer.body).toMatchObject({ data: [], pagination: { nextCursor: null } });
  }
  // Whoever has a cursor of another's list finds nothing with it that is not theirs.
  const { body } = await list("?limit=1");
  const { nextCursor } = body.pagination;
  expect(idsOf(await list(`?cursor=${nextCursor}`, another.client))).toEqual([]);
});
