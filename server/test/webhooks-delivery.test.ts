import { setTimeout as pause } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Core } from "../src/core.ts";
import { LOCK_FEED } from "../src/webhooks/delivery/feed-store.ts";
import { expectRefusal, TIMESTAMP, verdict } from "./harness/answers.ts";
import type { ApiClient } from "./harness/api-client.ts";
import { openCard } from "./harness/cards.ts";
import { eventually, until } from "./harness/eventually.ts";
import { foundOrganization, openOperator } from "./harness/operator.ts";
import { Receiver, verify } from "./harness/receiver.ts";
import { startTestService, type TestService } from "./harness/service.ts";

const MINUTE_S = 60;
const HOUR_S = 60 * MINUTE_S;
const DAY_S = 24 * HOUR_S;
const RETRIES_S = [5, 30, 2 * MINUTE_S, 10 * MINUTE_S, HOUR_S, 6 * HOUR_S, DAY_S];

interface Endpoint {
  webhookEndpointId: string;
  secret: string;
}

let service: TestService;
let operator: Core;
let organizationId: string;
let client: ApiClient;
let receiver: Receiver;
beforeAll(async () => {
  service = await startTestService();
  operator = await openOperator(service);
});
afterAll(async () => {
  await operator.close();
  await service.stop();
});
// Each test has an organization of its own: nobody else's events, nobody else's endpoints.
beforeEach(async () => {
  const organization = await foundOrganization(operator, service);
  ({ client, organizationId } = organization);
  receiver = await Receiver.open();
});
afterEach(() => receiver.goDown());

async function createEndpoint(body: object = {}): Promise<Endpoint> {
  const answer = await client.post("/webhook-endpoints", { url: receiver.url, ...body });
  expect(verdict(answer)).toBe("200/000");
  return answer.body.data;
}

async function deposit(amount = 1, currency = "USD"): Promise<void> {
  const answer = await client.post("/simulator/wallets/deposits", { currency, amount });
  expect(verdict(answer)).toBe("200/000");
}

async function advance(seconds: number): Promise<void> {
  const answer = await client.post("/simulator/clock/advance", { seconds });
  expect(verdict(answer)).toBe("200/000");
  client.forgetToken();
}

const readEvent = async (eventId: string) => (await client.get(`/events/${eventId}`)).body.data;

const readEndpoint = async ({ webhookEndpointId }: Endpoint) =>
  (await client.get(`/webhook-endpoints/${webhookEndpointId}`)).body.data;

async function newestEvents(limit = 100): Promise<{ eventId: string; eventType: string }[]> {
  return (await client.get(`/events?limit=${limit}`)).body.data;
}

/** Waits until so many attempts at an event are recorded. */
async function attemptsOf(eventId: string, count: number) {
  return eventually(`${count} attempts`, async () => {
    const { attempts } = await readEvent(eventId);
    return attempts.length >= count ? attempts : undefined;
  });
}

/** Nothing more is under way: what is to come must wait for its time. */
async function untilQuiet(): Promise<void> {
  await until("nothing is under way", async () => {
    const { rows } = await operator.pool.query(
      `select (select count(*) from webhook_deliveries where lease_until > clock_timestamp()) +
              (select count(*) from webhook_deliveries join webhook_endpoints e
                using (organization_id, webhook_endpoint_id) where e.status = 'Enabled' and due_at <= $1) +
              (select count(*) from webhook_endpoints where status = 'Enabled' and recover_until is not null) +
              (select count(*) from event_log where position is null) as busy`,
      [operator.clock.now()],
    );
    return rows[0].busy === 0n;
  });
}

describe("a message", () => {
  test("is an event in the format of Standard Webhooks", async () => {
    const { secret } = await createEndpoint();
    await deposit(25.5);
    const [message] = await receiver.until(1);
    const [event] = await newestEvents();
    const body = {
      eventId: event?.eventId,
      eventType: "wallet.deposited",
      createdAt: expect.stringMatching(TIMESTAMP),
      sequence: null,
      data: { walletId: expect.any(String), currency: "USD", amount: 25.5, balance: 25.5 },
    };
    expect(verify(message, secret)).toEqual(body);
    expect(event).toEqual(body);
    expect(message?.headers).toMatchObject({
      "content-type": "application/json",
      "webhook-id": event?.eventId,
      "webhook-timestamp": expect.stringMatching(/^\d{10}$/),
      "webhook-signature": expect.stringMatching(/^v1,[A-Za-z0-9+/]{43}=$/),
    });
    expect(Object.keys(message?.body)).toEqual([
      "eventId",
      "eventType",
      "createdAt",
      "sequence",
      "data",
    ]);
  });

  test("carries real time, whatever the sandbox's clock says", async () => {
    const { secret } = await createEndpoint();
    await advance(30 * DAY_S);
    await deposit();
    const [message] = await receiver.until(1);
    expect(() => verify(message, secret)).not.toThrow();
    expect(Date.parse(message?.body.createdAt) - Date.now()).toBeGreaterThan(29 * DAY_S * 1000);
  });

  test("is signed by this endpoint's secret and no other", async () => {
    const one = await createEndpoint();
    const two = await createEndpoint({ url: `${receiver.url}/two` });
    await deposit();
    await receiver.until(2);
    const first = receiver.received.find(({ path }) => path === "/hooks");
    const second = receiver.received.find(({ path }) => path === "/hooks/two");
    expect(first?.text).toBe(second?.text);
    expect(() => verify(first, one.secret)).not.toThrow();
    expect(() => verify(second, two.secret)).not.toThrow();
    expect(() => verify(first, two.secret)).toThrow();
    expect(() => verify(first, service.sandbox.webhookSecret)).toThrow();
  });

  test("has two signatures for 24 hours after a rotation", async () => {
    const endpoint = await createEndpoint();
    const rotated = await client.post(
      `/webhook-endpoints/${endpoint.webhookEndpointId}/rotate-secret`,
      undefined,
    );
    const { secret } = rotated.body.data;
    await deposit();
    const [during] = await receiver.until(1);
    expect(String(during?.headers["webhook-signature"]).split(" ")).toHaveLength(2);
    expect(() => verify(during, secret)).not.toThrow();
    expect(() => verify(during, endpoint.secret)).not.toThrow();

    await advance(DAY_S - MINUTE_S);
    await deposit();
    await receiver.until(2);
    expect(() => verify(receiver.received[1], endpoint.secret)).not.toThrow();

    await advance(2 * MINUTE_S);
    await deposit();
    await receiver.until(3);
    expect(() => verify(receiver.received[2], secret)).not.toThrow();
    expect(() => verify(receiver.received[2], endpoint.secret)).toThrow();
  });

  test("of a card counts that card's events without gaps", async () => {
    await createEndpoint({ eventTypes: ["card.topped_up"] });
    await deposit(1_000);
    const cards = await Promise.all([1, 2].map(() => openCard(operator.pool, organizationId)));
    await Promise.all(
      Array.from({ length: 40 }, async (_, n) => {
        const { cardId } = cards[n % 2] ?? { cardId: "" };
        const answer = await client.post(`/cards/${cardId}/top-up`, { amount: 1 });
        expect(verdict(answer)).toBe("200/000");
      }),
    );
    await receiver.until(40);
    for (const { cardId } of cards) {
      const bodies = receiver.received
        .map(({ body }) => body)
        .filter((b) => b.data.cardId === cardId);
      const sequences = bodies.map(({ sequence }) => sequence).toSorted((a, b) => a - b);
      expect(sequences).toEqual(Array.from({ length: 20 }, (_, n) => (sequences[0] ?? 0) + n));
    }
  });

  test("is sent to those who want its type", async () => {
    await createEndpoint({ eventTypes: ["wallet.deposited", "card.issued"] });
    await createEndpoint({ url: `${receiver.url}/no`, eventTypes: ["card.issued"] });
    await createEndpoint({ url: `${receiver.url}/all` });
    for (let n = 0; n < 5; n++) await deposit();
    await receiver.until(10);
    await untilQuiet();
    const count = (path: string) => receiver.received.filter((m) => m.path === path).length;
    expect([count("/hooks"), count("/hooks/all"), count("/hooks/no")]).toEqual([5, 5, 0]);
  });

  test("is sent to those who wanted its type when it happened", async () => {
    const { webhookEndpointId } = await createEndpoint({ eventTypes: ["wallet.deposited"] });
    const choose = async (eventTypes: string[]) => {
      const path = `/webhook-endpoints/${webhookEndpointId}`;
      expect(verdict(await client.call("PATCH", path, { body: { eventTypes } }))).toBe("200/000");
    };
    receiver.answerWith(() => undefined);
    for (let n = 1; n <= 12; n++) await deposit(n);
    await receiver.until(1);
    await choose(["card.issued"]);
    await deposit(13);
    await choose([]);
    await deposit(14);
    receiver.answerWith(200);
    await receiver.goDown();
    await receiver.comeUp();
    await untilQuiet();
    await advance(HOUR_S);
    await until("everything has arrived", () => receiver.ids.length === 13);
    await untilQuiet();
    const amounts = new Set(receiver.received.map(({ body }) => body.data.amount));
    expect(amounts).toEqual(new Set([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 14]));
  });

  /** Makes an answer wait while events that are committed have no place in the feed yet. */
  async function whileFeedWaits<T>(work: () => Promise<T>): Promise<T> {
    const holder = await operator.pool.connect();
    try {
      await holder.query("begin");
      await holder.query(LOCK_FEED.text, LOCK_FEED.values);
      await deposit(1);
      const working = work();
      await pause(200);
      await holder.query("commit");
      return await working;
    } finally {
      holder.release();
    }
  }

  test("of what happened before an endpoint existed is not sent to it", async () => {
    await whileFeedWaits(() => createEndpoint());
    await deposit(2);
    await receiver.until(1);
    await untilQuiet();
    expect(receiver.received.map(({ body }) => body.data.amount)).toEqual([2]);
  });

  test("of what happened while an endpoint was disabled is not sent to it", async () => {
    const { webhookEndpointId } = await createEndpoint();
    const become = (status: string) =>
      client.call("PATCH", `/webhook-endpoints/${webhookEndpointId}`, { body: { status } });
    await become("Disabled");
    await whileFeedWaits(() => become("Enabled"));
    await deposit(2);
    await receiver.until(1);
    await untilQuiet();
    expect(receiver.received.map(({ body }) => body.data.amount)).toEqual([2]);
  });

  test("stays within its organization", async () => {
    const stranger = await Receiver.open();
    const other = await foundOrganization(operator, service);
    await other.client.post("/webhook-endpoints", { url: stranger.url });
    await createEndpoint();
    await deposit();
    await receiver.until(1);
    await untilQuiet();
    expect(stranger.received).toEqual([]);
    await stranger.goDown();
  });
});

describe("an attempt that fails", () => {
  test("is made again after 5 s, 30 s, 2 min, 10 min, 1 h, 6 h and 24 h; then it has failed", async () => {
    const endpoint = await createEndpoint();
    receiver.answerWith(500);
    await deposit();
    const [{ body } = { body: undefined }] = await receiver.until(1);
    for (const [index, delay] of RETRIES_S.entries()) {
      await attemptsOf(body.eventId, index + 1);
      // Jitter takes a fifth at most, so before that nothing may come.
      const tooEarly = Math.floor(delay * 0.7);
      await advance(tooEarly);
      await untilQuiet();
      expect((await readEvent(body.eventId)).attempts).toHaveLength(index + 1);
      await advance(delay - tooEarly);
      await receiver.until(index + 2);
    }
    await attemptsOf(body.eventId, 8);
    await advance(30 * DAY_S);
    await untilQuiet();
    const event = await readEvent(body.eventId);
    expect(event.attempts).toHaveLength(8);
    expect(event.deliveries).toEqual([
      { webhookEndpointId: endpoint.webhookEndpointId, status: "Failed" },
    ]);
    expect(new Set(receiver.received.map(({ text }) => text)).size).toBe(1);
    expect(new Set(receiver.received.map(({ headers }) => headers["webhook-id"])).size).toBe(1);
  });

  test("is visible, with what came of it", async () => {
    const endpoint = await createEndpoint();
    receiver.answerWith(503);
    await deposit();
    const [{ body } = { body: undefined }] = await receiver.until(1);
    await attemptsOf(body.eventId, 1);
    receiver.answerWith((response) => response.writeHead(302, { location: "/elsewhere" }).end());
    await advance(5);
    await attemptsOf(body.eventId, 2);
    await receiver.goDown();
    await advance(30);
    await attemptsOf(body.eventId, 3);
    const pending = await readEvent(body.eventId);
    expect(pending.deliveries).toEqual([
      {
        webhookEndpointId: endpoint.webhookEndpointId,
        status: "Pending",
        nextAttemptAt: expect.stringMatching(TIMESTAMP),
      },
    ]);
    await receiver.comeUp();
    receiver.answerWith(204);
    await advance(2 * MINUTE_S);
    const { webhookEndpointId } = endpoint;
    const common = {
      webhookEndpointId,
      at: expect.stringMatching(TIMESTAMP),
      durationMs: expect.any(Number),
    };
    const attempts = await attemptsOf(body.eventId, 4);
    expect(attempts).toEqual([
      { ...common, httpStatus: 503 },
      { ...common, httpStatus: 302, error: "Redirects are not followed" },
      { ...common, httpStatus: null, error: "The connection was refused" },
      { ...common, httpStatus: 204 },
    ]);
    // Each has its own time, on the service's clock; jitter takes a fifth at most.
    const times = [body.createdAt, ...attempts.map(({ at }: { at: string }) => at)].map((at) =>
      Date.parse(at),
    );
    const gaps = times.slice(1).map((at, n) => at - (times[n] ?? 0));
    for (const [n, leastS] of [0, 4, 24, 96].entries()) {
      expect(gaps[n]).toBeGreaterThanOrEqual(leastS * 1000);
    }
    expect((await readEvent(body.eventId)).deliveries).toEqual([
      { webhookEndpointId, status: "Delivered" },
    ]);
    expect(receiver.received.map(({ path }) => path)).not.toContain("/elsewhere");
  });

  test.each([200, 201, 202, 204, 299])("%i acknowledges", async (status) => {
    await createEndpoint();
    receiver.answerWith(status);
    await deposit();
    const [{ body } = { body: undefined }] = await receiver.until(1);
    await attemptsOf(body.eventId, 1);
    await advance(10);
    await untilQuiet();
    expect(receiver.received).toHaveLength(1);
  });

  test.each([400, 401, 404, 410, 429, 500, 502])("%i does not", async (status) => {
    await createEndpoint();
    receiver.answerWith(status);
    await deposit();
    const [{ body } = { body: undefined }] = await receiver.until(1);
    await attemptsOf(body.eventId, 1);
    await advance(5);
    await receiver.until(2);
  });

  test("waits as long as Retry-After asks for, within a day", async () => {
    await createEndpoint();
    receiver.answerWith((response) => response.writeHead(429, { "retry-after": "3600" }).end());
    await deposit();
    const [{ body } = { body: undefined }] = await receiver.until(1);
    await attemptsOf(body.eventId, 1);
    await advance(HOUR_S - MINUTE_S);
    await untilQuiet();
    expect(receiver.received).toHaveLength(1);
    receiver.answerWith((response) =>
      response.writeHead(503, { "retry-after": String(365 * DAY_S) }).end(),
    );
    await advance(MINUTE_S);
    await receiver.until(2);
    await attemptsOf(body.eventId, 2);
    await advance(DAY_S);
    await receiver.until(3);
  });
});

test("a receiver that is down for an hour gets everything when it is back", async () => {
  await createEndpoint();
  await receiver.goDown();
  for (let n = 1; n <= 30; n++) await deposit(n);
  const events = await newestEvents();
  await until("each was tried once", async () => {
    const { rowCount } = await operator.pool.query(
      "select from webhook_deliveries where organization_id = $1 and attempts >= 1",
      [organizationId],
    );
    return rowCount === 30;
  });
  for (const seconds of [5, 30, 2 * MINUTE_S, 10 * MINUTE_S]) {
    await advance(seconds);
    await untilQuiet();
  }
  await advance(45 * MINUTE_S);
  await untilQuiet();
  await receiver.comeUp();
  await advance(HOUR_S);
  await receiver.until(30);
  await untilQuiet();
  expect(receiver.ids.toSorted()).toEqual(events.map(({ eventId }) => eventId).toSorted());
  expect(receiver.received).toHaveLength(30);
  const [event] = events;
  const { attempts } = await readEvent(event?.eventId ?? "");
  expect(attempts.at(-1)).toMatchObject({ httpStatus: 200 });
});

describe("resending", () => {
  test("sends an event again, to whoever wants it", async () => {
    await createEndpoint();
    await createEndpoint({ url: `${receiver.url}/cards`, eventTypes: ["card.issued"] });
    await deposit();
    const [{ body } = { body: undefined }] = await receiver.until(1);
    await attemptsOf(body.eventId, 1);
    const answer = await client.post(`/events/${body.eventId}/resend`, undefined);
    expect(verdict(answer)).toBe("200/000");
    expect(answer.body.data).toMatchObject(body);
    await receiver.until(2);
    await attemptsOf(body.eventId, 2);
    await untilQuiet();
    expect(receiver.received.map(({ path }) => path)).toEqual(["/hooks", "/hooks"]);
    expect(receiver.received[1]?.text).toBe(receiver.received[0]?.text);
    // By now a later endpoint gets it too.
    await createEndpoint({ url: `${receiver.url}/late` });
    await client.post(`/events/${body.eventId}/resend`, {});
    await receiver.until(4);
  });

  test("is seen as under way until its attempt is seen", async () => {
    await createEndpoint();
    await deposit();
    const [{ body } = { body: undefined }] = await receiver.until(1);
    await attemptsOf(body.eventId, 1);
    for (let count = 2; count <= 40; count++) {
      await client.post(`/events/${body.eventId}/resend`, undefined);
      let seen = await readEvent(body.eventId);
      while (seen.deliveries.some(({ status }: { status: string }) => status === "Pending")) {
        seen = await readEvent(body.eventId);
      }
      expect(seen.attempts).toHaveLength(count);
    }
  });

  test("gives an event that has failed for good all its attempts again", async () => {
    await createEndpoint();
    receiver.answerWith(500);
    await deposit();
    const [{ body } = { body: undefined }] = await receiver.until(1);
    for (const [index, delay] of RETRIES_S.entries()) {
      await attemptsOf(body.eventId, index + 1);
      await advance(delay);
    }
    await attemptsOf(body.eventId, 8);
    await client.post(`/events/${body.eventId}/resend`, undefined);
    await attemptsOf(body.eventId, 9);
    receiver.answerWith(200);
    await advance(5);
    await attemptsOf(body.eventId, 10);
    expect((await readEvent(body.eventId)).deliveries).toMatchObject([{ status: "Delivered" }]);
  });

  test("is not for events that are unknown, malformed or another's", async () => {
    await deposit();
    const [event] = await newestEvents();
    const other = await foundOrganization(operator, service);
    const path = (id: string) => `/events/${id}/resend`;
    expectRefusal(await other.client.post(path(event?.eventId ?? ""), undefined), "404/157");
    expectRefusal(await client.post(path("evt_0000000000000000000000000a"), undefined), "404/157");
    expectRefusal(await client.post(path("evt_x"), undefined), "404/157");
    expectRefusal(await client.post(path(event?.eventId ?? ""), { x: 1 }), "400/131");
  });
});

describe("a disabled endpoint", () => {
  const disable = (endpoint: Endpoint, status: string) =>
    client.call("PATCH", `/webhook-endpoints/${endpoint.webhookEndpointId}`, { body: { status } });

  test("is sent nothing; enabled again, what happens from then on", async () => {
    const endpoint = await createEndpoint();
    await disable(endpoint, "Disabled");
    await deposit(1);
    await untilQuiet();
    await disable(endpoint, "Enabled");
    await deposit(2);
    await receiver.until(1);
    await untilQuiet();
    expect(receiver.received.map(({ body }) => body.data.amount)).toEqual([2]);
  });

  test("goes on with what waited for another attempt when it is enabled again", async () => {
    const endpoint = await createEndpoint();
    receiver.answerWith(500);
    await deposit(1);
    const [{ body } = { body: undefined }] = await receiver.until(1);
    await attemptsOf(body.eventId, 1);
    await disable(endpoint, "Disabled");
    receiver.answerWith(200);
    await advance(HOUR_S);
    await untilQuiet();
    expect(receiver.received).toHaveLength(1);
    await disable(endpoint, "Enabled");
    await receiver.until(2);
  });

  test("is sent what it had not come to before, when it is enabled again", async () => {
    const endpoint = await createEndpoint();
    receiver.answerWith(() => undefined);
    for (let n = 1; n <= 12; n++) await deposit(n);
    await receiver.until(1);
    await disable(endpoint, "Disabled");
    await deposit(13);
    await disable(endpoint, "Disabled");
    receiver.answerWith(200);
    await receiver.goDown();
    await receiver.comeUp();
    await untilQuiet();
    expect(receiver.ids.length).toBeLessThan(12);
    await disable(endpoint, "Enabled");
    await deposit(14);
    await advance(HOUR_S);
    await until("everything has arrived", () => receiver.ids.length === 13);
    await untilQuiet();
    const amounts = new Set(receiver.received.map(({ body }) => body.data.amount));
    expect(amounts).toEqual(new Set([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 14]));
  });

  test("that is deleted loses what waited, and nothing else", async () => {
    const endpoint = await createEndpoint();
    const other = await createEndpoint({ url: `${receiver.url}/other` });
    receiver.answerWith(500);
    for (let n = 0; n < 3; n++) await deposit();
    await receiver.until(6);
    await untilQuiet();
    await client.call("DELETE", `/webhook-endpoints/${endpoint.webhookEndpointId}`);
    const owners = async () => {
      const { rows } = await operator.pool.query(
        `select distinct webhook_endpoint_id as id from webhook_deliveries where organization_id = $1`,
        [organizationId],
      );
      return rows.map(({ id }) => id);
    };
    await until("its deliveries are cleared away", async () => (await owners()).length === 1);
    expect(await owners()).toEqual([other.webhookEndpointId]);
    receiver.answerWith(200);
    await advance(5);
    await receiver.until(9);
    await untilQuiet();
    const later = receiver.received.slice(6).map(({ path }) => path);
    expect(later).toEqual(["/hooks/other", "/hooks/other", "/hooks/other"]);
  });
});

describe("an endpoint that only fails", () => {
  const disabledEvents = async () =>
    (await newestEvents()).filter(({ eventType }) => eventType === "webhook_endpoint.disabled");

  test("for 5 days is disabled, and an event tells so", async () => {
    const endpoint = await createEndpoint();
    const witness = await Receiver.open();
    await createEndpoint({ url: witness.url, eventTypes: ["webhook_endpoint.disabled"] });
    receiver.answerWith(500);
    await deposit();
    const [{ body } = { body: undefined }] = await receiver.until(1);
    await attemptsOf(body.eventId, 1);
    await advance(5 * DAY_S - HOUR_S);
    await attemptsOf(body.eventId, 2);
    expect((await readEndpoint(endpoint)).status).toBe("Enabled");
    await advance(HOUR_S);
    await until("it is disabled", async () => (await readEndpoint(endpoint)).status === "Disabled");
    const [notice] = await witness.until(1);
    expect(notice?.body).toMatchObject({
      eventType: "webhook_endpoint.disabled",
      sequence: null,
      data: { webhookEndpointId: endpoint.webhookEndpointId, url: receiver.url },
    });
    expect(await disabledEvents()).toHaveLength(1);
    const before = receiver.received.length;
    await advance(DAY_S);
    await deposit();
    await untilQuiet();
    expect(receiver.received).toHaveLength(before);
    await witness.goDown();
  });

  test("is disabled also when nothing is left to be tried", async () => {
    const endpoint = await createEndpoint();
    receiver.answerWith(500);
    await deposit();
    const [{ body } = { body: undefined }] = await receiver.until(1);
    for (const [index, delay] of RETRIES_S.entries()) {
      await attemptsOf(body.eventId, index + 1);
      await advance(delay);
    }
    await attemptsOf(body.eventId, 8);
    expect((await readEndpoint(endpoint)).status).toBe("Enabled");
    await advance(4 * DAY_S);
    await until("it is disabled", async () => (await readEndpoint(endpoint)).status === "Disabled");
  });

  test("and is back in time stays enabled: it is tried before it is judged", async () => {
    const endpoint = await createEndpoint();
    receiver.answerWith(500);
    await deposit();
    const [{ body } = { body: undefined }] = await receiver.until(1);
    await attemptsOf(body.eventId, 1);
    receiver.answerWith(200);
    await advance(6 * DAY_S);
    await attemptsOf(body.eventId, 2);
    receiver.answerWith(500);
    await deposit();
    await receiver.until(3);
    await advance(4 * DAY_S);
    await receiver.until(4);
    await untilQuiet();
    expect((await readEndpoint(endpoint)).status).toBe("Enabled");
    expect(await disabledEvents()).toEqual([]);
  });
});

describe("recovering", () => {
  const recover = (endpoint: Endpoint, since: string) =>
    client.post(`/webhook-endpoints/${endpoint.webhookEndpointId}/recover`, { since });

  test("sends what was not acknowledged since then: failed, waiting, missed", async () => {
    await deposit(1);
    await advance(HOUR_S);
    const since = (await client.post("/simulator/clock/advance", { seconds: 1 })).body.data.now;
    client.forgetToken();
    await deposit(2); // before the endpoint existed
    const endpoint = await createEndpoint();
    await deposit(3); // acknowledged
    await receiver.until(1);
    const failing = (response: { writeHead(status: number): { end(): void } }) =>
      response.writeHead(500).end();
    receiver.answerWith(failing);
    await deposit(4); // fails for good
    const [, { body: failed } = { body: undefined }] = await receiver.until(2);
    for (const [index, delay] of RETRIES_S.entries()) {
      await attemptsOf(failed.eventId, index + 1);
      await advance(delay);
    }
    await attemptsOf(failed.eventId, 8);
    await deposit(5); // waits
    const waiting = (await newestEvents(1))[0]?.eventId ?? "";
    await attemptsOf(waiting, 1);
    const disabling = { status: "Disabled" };
    const path = `/webhook-endpoints/${endpoint.webhookEndpointId}`;
    await client.call("PATCH", path, { body: disabling });
    await deposit(6); // while it was disabled
    expectRefusal(await recover(endpoint, since), "422/119");
    await client.call("PATCH", path, { body: { status: "Enabled" } });

    receiver.answerWith(200);
    const before = receiver.received.length;
    expect(verdict(await recover(endpoint, since))).toBe("200/000");
    await receiver.until(before + 4);
    await untilQuiet();
    const amounts = receiver.received.slice(before).map(({ body }) => body.data.amount);
    expect(amounts.toSorted()).toEqual([2, 4, 5, 6]);

    await recover(endpoint, since);
    await untilQuiet();
    expect(receiver.received).toHaveLength(before + 4);
  });

  test("tells the beginning of a payment as it was, whatever has become of it since", async () => {
    await deposit(100);
    const { cardId } = await openCard(operator.pool, organizationId);
    const toppedUp = await client.post(`/cards/${cardId}/top-up`, { amount: 50 });
    const bought = await client.post("/simulator/authorizations", { cardId, amount: 20 });
    const { decision: _, ...purchase } = bought.body.data;
    const { transactionId } = purchase;
    await client.post(`/simulator/transactions/${transactionId}/settle`, { amount: 15 });
    await client.post(`/simulator/transactions/${transactionId}/reverse`, {});
    const declined = await client.post("/simulator/authorizations", { cardId, amount: 999 });
    const { decision: __, ...decline } = declined.body.data;

    const eventTypes = ["card.topped_up", "transaction.authorized", "transaction.declined"];
    const endpoint = await createEndpoint({ eventTypes });
    await recover(endpoint, "2020-01-01");
    await receiver.until(3);
    const told = new Map(receiver.received.map(({ body }) => [body.eventType, body]));
    expect(told.get("card.topped_up").data).toEqual(toppedUp.body.data);
    expect(told.get("transaction.authorized").data).toEqual(purchase);
    expect(told.get("transaction.declined").data).toEqual(decline);
    for (const body of told.values()) {
      const { attempts: _a, deliveries: _d, ...event } = await readEvent(body.eventId);
      expect(event).toEqual(body);
    }
  });

  test("goes through a long past, and only through the types that are wanted", async () => {
    await Promise.all(Array.from({ length: 600 }, () => deposit()));
    const card = await openCard(operator.pool, organizationId);
    await client.post(`/cards/${card.cardId}/top-up`, { amount: 1 });
    const endpoint = await createEndpoint({ eventTypes: ["wallet.deposited"] });
    await recover(endpoint, "2020-01-01");
    await receiver.until(600);
    await untilQuiet();
    expect(receiver.ids).toHaveLength(600);
    expect(receiver.received).toHaveLength(600);
  });
});
