import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Core } from "../src/core.ts";
import { transaction } from "../src/db/transaction.ts";
import { tellEvents } from "../src/engine/events.ts";
import { expectRefusal, fieldsOf, TIMESTAMP, verdict } from "./harness/answers.ts";
import { ApiClient } from "./harness/api-client.ts";
import { openCard } from "./harness/cards.ts";
import { foundOrganization, type Organization, openOperator } from "./harness/operator.ts";
import { startTestService, type TestService } from "./harness/service.ts";

const EVENT_ID = /^evt_[0-7][0-9a-hjkmnp-tv-z]{25}$/;
const HOUR_S = 3_600;

// biome-ignore lint/suspicious/noExplicitAny: tests look into events of every shape.
type Event = any;

let service: TestService;
let operator: Core;
let organization: Organization;
let client: ApiClient;
beforeAll(async () => {
  service = await startTestService();
  operator = await openOperator(service);
});
afterAll(async () => {
  await operator.close();
  await service.stop();
});
beforeEach(async () => {
  organization = await foundOrganization(operator, service);
  client = organization.client;
});

async function deposit(amount = 1, from = client): Promise<void> {
  const answer = await from.post("/simulator/wallets/deposits", { currency: "USD", amount });
  expect(verdict(answer)).toBe("200/000");
}

async function advance(seconds: number): Promise<string> {
  const { body } = await client.post("/simulator/clock/advance", { seconds });
  client.forgetToken();
  return body.data.now;
}

async function list(query: string, from = client): Promise<Event[]> {
  const answer = await from.get(query === "" ? "/events" : `/events?${query}`);
  expect(verdict(answer)).toBe("200/000");
  return answer.body.data;
}

const amounts = (events: Event[]): number[] => events.map(({ data }) => data.amount);

/** Reads a list to its end, or the feed until nothing more is in it. */
async function readAll(query: string, from = client): Promise<Event[]> {
  const events: Event[] = [];
  for (let cursor = ""; ; ) {
    const { body } = await from.get(`/events?${query}${cursor}`);
    events.push(...body.data);
    const { nextCursor } = body.pagination;
    if (nextCursor === null || body.data.length === 0) return events;
    cursor = `&cursor=${nextCursor}`;
  }
}

/** Writes events as some use case would, in a transaction that ends when it is told to. */
async function writeSlowly(amount: number): Promise<{ commit(): Promise<void> }> {
  let finish: () => void = () => undefined;
  const told = new Promise<void>((resolve) => {
    finish = resolve;
  });
  let begun: () => void = () => undefined;
  const written = new Promise<void>((resolve) => {
    begun = resolve;
  });
  const { organizationId } = organization;
  const done = transaction(operator.pool, async (tx) => {
    const event = { organizationId, eventType: "wallet.deposited", data: { amount } };
    await tellEvents(tx, [event], operator.clock.now());
    begun();
    await told;
  });
  await written;
  return {
    commit: async () => {
      finish();
      await done;
    },
  };
}

describe("the list", () => {
  test("has events as webhooks tell them, newest first", async () => {
    for (const amount of [1, 2, 3]) {
      await deposit(amount);
      await advance(1);
    }
    const events = await list("");
    expect(amounts(events)).toEqual([3, 2, 1]);
    expect(events[0]).toEqual({
      eventId: expect.stringMatching(EVENT_ID),
      eventType: "wallet.deposited",
      createdAt: expect.stringMatching(TIMESTAMP),
      sequence: null,
      data: { walletId: expect.any(String), currency: "USD", amount: 3, balance: 6 },
    });
  });

  test("has pages", async () => {
    for (let n = 0; n < 7; n++) await deposit();
    const all = await list("limit=100");
    const { body } = await client.get("/events?limit=3");
    expect(body.pagination).toEqual({ limit: 3, nextCursor: expect.any(String) });
    expect(await readAll("limit=3")).toEqual(all);
    expect((await client.get("/events")).body.pagination).toEqual({ limit: 20, nextCursor: null });
  });

  test("is searched by type, card, reference and time, and by all of them", async () => {
    await deposit(100);
    const card = await openCard(operator.pool, organization.organizationId);
    const other = await openCard(operator.pool, organization.organizationId);
    const from = await advance(HOUR_S);
    for (const { cardId } of [card, other, card]) {
      await client.post(`/cards/${cardId}/top-up`, { amount: 1 });
    }
    const to = await advance(HOUR_S);
    await client.post(`/cards/${card.cardId}/top-up`, { amount: 1 });
    await deposit(5);
    await transaction(operator.pool, async (tx) => {
      const event = {
        organizationId: organization.organizationId,
        eventType: "kyc.approved",
        clientReference: "customer-4711",
        data: { kycToken: "kyc_x" },
      };
      await tellEvents(tx, [event], new Date(Date.parse(to) + 1_000));
    });
    const count = async (query: string) => (await readAll(`limit=2&${query}`)).length;
    expect(await count("type=wallet.deposited")).toBe(2);
    expect(await count("type=card.topped_up")).toBe(4);
    expect(await count("type=card.frozen")).toBe(0);
    expect(await count(`cardId=${card.cardId}`)).toBe(3);
    expect(await count(`cardId=${other.cardId}`)).toBe(1);
    expect(await count("cardId=card_0000000000000000000000000a")).toBe(0);
    expect(await count(`from=${from}`)).toBe(6);
    expect(await count(`to=${from}`)).toBe(1);
    expect(await count(`from=${from}&to=${to}`)).toBe(3);
    expect(await count(`from=${from}&to=${to}&cardId=${card.cardId}&type=card.topped_up`)).toBe(2);
    expect(await count("clientReference=customer-4711")).toBe(1);
    expect(await count("clientReference=customer-4711&type=kyc.rejected")).toBe(0);
    expect(await count("clientReference=nobody")).toBe(0);
    const [approved] = await list("clientReference=customer-4711");
    expect(approved).toMatchObject({ clientReference: "customer-4711", sequence: null });
    // The feed is searched alike.
    expect(await count(`order=asc&cardId=${card.cardId}`)).toBe(3);
    expect(await count(`order=asc&from=${from}&to=${to}`)).toBe(3);
    expect(await count("order=asc&type=wallet.deposited")).toBe(2);
    expect(await count("order=asc&clientReference=customer-4711")).toBe(1);
  });

  test("shows nobody else's", async () => {
    await deposit();
    const other = await foundOrganization(operator, service);
    expect(await list("", other.client)).toEqual([]);
    expect(await list("order=asc", other.client)).toEqual([]);
    const [event] = await list("");
    expectRefusal(await other.client.get(`/events/${event.eventId}`), "404/157");
  });

  test.each<[string, string, string]>([
    ["type=card.eaten", "400/131", "type"],
    ["limit=0", "400/131", "limit"],
    ["limit=101", "400/131", "limit"],
    ["order=up", "400/131", "order"],
    ["cursor=x", "400/131", "cursor"],
    ["cursor=bm9uc2Vuc2U", "400/131", "cursor"],
    ["order=asc&cursor=x", "400/131", "cursor"],
    ["order=asc&cursor=LTE", "400/131", "cursor"],
    ["clientReference=", "400/131", "clientReference"],
    ["x=1", "400/131", "x"],
    ["cardId=x", "400/112", "cardId"],
    ["from=yesterday", "400/132", "from"],
    ["to=2026-02-30", "400/132", "to"],
    ["from=2026-02-01&to=2026-01-01", "400/132", ""],
  ])("refuses %s with %s", async (query, expected, field) => {
    const answer = await client.get(`/events?${query}`);
    expectRefusal(answer, expected);
    if (field !== "") expect(fieldsOf(answer)).toContain(field);
  });

  test("refuses a cursor of the other order", async () => {
    for (let n = 0; n < 2; n++) await deposit();
    for (const [order, other] of [
      ["asc", "desc"],
      ["desc", "asc"],
    ]) {
      const { body } = await client.get(`/events?limit=1&order=${order}`);
      const { nextCursor } = body.pagination;
      expectRefusal(await client.get(`/events?order=${other}&cursor=${nextCursor}`), "400/131");
    }
  });
});

describe("one event", () => {
  test("comes with its attempts, none if nobody was told", async () => {
    await deposit();
    const [event] = await list("");
    const answer = await client.get(`/events/${event.eventId}`);
    expect(answer.body.data).toEqual({ ...event, attempts: [], deliveries: [] });
  });

  test.each(["evt_0000000000000000000000000a", "evt_x", "x", "%20"])(
    "%s is unknown",
    async (id) => {
      expectRefusal(await client.get(`/events/${id}`), "404/157");
    },
  );
});

describe("the feed", () => {
  test("begins with the first event, goes on where it was left, and has no end", async () => {
    const empty = await client.get("/events?order=asc");
    expect(empty.body).toMatchObject({ data: [], pagination: { nextCursor: expect.any(String) } });
    for (const amount of [1, 2, 3]) await deposit(amount);
    const first = await client.get("/events?order=asc&limit=2");
    expect(amounts(first.body.data)).toEqual([1, 2]);
    const next = (answer: Event) =>
      client.get(`/events?order=asc&limit=2&cursor=${answer.body.pagination.nextCursor}`);
    const second = await next(first);
    expect(amounts(second.body.data)).toEqual([3]);
    const third = await next(second);
    expect(third.body.data).toEqual([]);
    await deposit(4);
    expect(amounts((await next(third)).body.data)).toEqual([4]);
    // The cursor of an empty feed leads to all that came since.
    expect(amounts((await next(empty)).body.data)).toEqual([1, 2]);
    // The same cursor gives the same events again, and what came since.
    expect(amounts((await next(first)).body.data)).toEqual([3, 4]);
  });

  test("refuses a cursor beyond its end, which was given out before a backup was restored", async () => {
    const cursorOf = (answer: Event) => answer.body.pagination.nextCursor;
    await deposit(1);
    const before = cursorOf(await client.get("/events?order=asc"));
    await deposit(2);
    const after = cursorOf(await client.get("/events?order=asc"));
    const latest = "organization_id = $1 order by position desc limit 1";
    await operator.pool.query(
      `delete from event_log where ctid = (select ctid from event_log where ${latest})`,
      [organization.organizationId],
    );
    expect(await list(`order=asc&cursor=${before}`)).toEqual([]);
    for (const search of ["", "&type=card.issued"]) {
      const answer = await client.get(`/events?order=asc&cursor=${after}${search}`);
      expectRefusal(answer, "400/131");
      expect(fieldsOf(answer)).toEqual(["cursor"]);
    }
  });

  test("takes the cursor of its end though nothing is left of what it points to", async () => {
    await deposit();
    const { body } = await client.get("/events?order=asc");
    await operator.pool.query("delete from events where organization_id = $1", [
      organization.organizationId,
    ]);
    expect(await list(`order=asc&cursor=${body.pagination.nextCursor}`)).toEqual([]);
  });

  test("has what was answered a moment ago", async () => {
    for (let amount = 1; amount <= 20; amount++) {
      await deposit(amount);
      expect((await readAll("order=asc&limit=7")).at(-1).data.amount).toBe(amount);
    }
  });

  test("goes on past events that a search does not want", async () => {
    for (let n = 0; n < 5; n++) await deposit();
    const { body } = await client.get("/events?order=asc&type=card.issued");
    expect(body.data).toEqual([]);
    const card = await openCard(operator.pool, organization.organizationId);
    await client.post(`/cards/${card.cardId}/top-up`, { amount: 1 });
    const { nextCursor } = body.pagination;
    expect(await list(`order=asc&cursor=${nextCursor}`)).toMatchObject([
      { eventType: "card.topped_up" },
    ]);
  });

  test("does not skip an event that is committed late", async () => {
    const slow = await writeSlowly(1);
    await deposit(2);
    const first = await client.get("/events?order=asc");
    expect(amounts(first.body.data)).toEqual([2]);
    await slow.commit();
    await deposit(3);
    const { nextCursor } = first.body.pagination;
    // The late one has the smaller id, and still comes after what was read.
    expect(amounts(await list(`order=asc&cursor=${nextCursor}`)).toSorted()).toEqual([1, 3]);
  });

  test("does not wait for a transaction that stays open, nor has what was rolled back", async () => {
    const slow = await writeSlowly(1);
    for (let n = 0; n < 5; n++) await deposit(2);
    expect(amounts(await readAll("order=asc"))).toEqual([2, 2, 2, 2, 2]);
    const { organizationId } = organization;
    const undone = transaction(operator.pool, async (tx) => {
      const event = { organizationId, eventType: "wallet.deposited", data: { amount: 9 } };
      await tellEvents(tx, [event], operator.clock.now());
      throw new Error("no");
    });
    await expect(undone).rejects.toThrow("no");
    await slow.commit();
    await deposit(3);
    expect(amounts(await readAll("order=asc")).toSorted()).toEqual([1, 2, 2, 2, 2, 2, 3]);
  });

  test("read while several processes write, it has every event once, each card's in order", async () => {
    const second = await startTestService({ FLORIN_DATABASE_URL: service.databaseUrl });
    const there = new ApiClient({ ...second.sandbox, ...organization });
    try {
      await deposit(10_000);
      const cards = await Promise.all(
        [1, 2, 3].map(() => openCard(operator.pool, organization.organizationId)),
      );
      let writing = true;
      const writers = [client, there].flatMap((from) =>
        Array.from({ length: 4 }, async (_, n) => {
          for (let turn = 0; turn < 15; turn++) {
            const { cardId } = cards[(n + turn) % 3] ?? { cardId: "" };
            const answer = await from.post(`/cards/${cardId}/top-up`, { amount: 1 });
            expect(verdict(answer)).toBe("200/000");
          }
        }),
      );
      const written = Promise.all(writers).finally(() => {
        writing = false;
      });
      const reader = async (from: ApiClient): Promise<Event[]> => {
        const seen: Event[] = [];
        let cursor = "";
        for (let last = false; ; last = !writing) {
          const { body } = await from.get(`/events?order=asc&limit=5${cursor}`);
          seen.push(...body.data);
          cursor = `&cursor=${body.pagination.nextCursor}`;
          if (last && body.data.length === 0) return seen;
        }
      };
      const [one, two] = await Promise.all([reader(client), reader(there), written]);
      const all = await readAll("limit=100");
      expect(one.map(({ eventId }) => eventId)).toEqual(two.map(({ eventId }) => eventId));
      expect(one.map(({ eventId }) => eventId).toSorted()).toEqual(
        all.map(({ eventId }) => eventId).toSorted(),
      );
      expect(one).toHaveLength(121);
      for (const { cardId } of cards) {
        const sequences = one.filter((e) => e.data.cardId === cardId).map((e) => e.sequence);
        expect(sequences).toEqual(sequences.map((_, n) => sequences[0] + n));
      }
    } finally {
      await second.stop();
    }
  });
});
