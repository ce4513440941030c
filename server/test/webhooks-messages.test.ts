import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { LOCK_FEED } from "../src/webhooks/delivery/feed-store.ts";
import { TIMESTAMP, verdict } from "./harness/answers.ts";
import { openCard } from "./harness/cards.ts";
import { until } from "./harness/eventually.ts";
import { DAY_S, HOUR_S, listenerOfEachTest, MINUTE_S } from "./harness/listener.ts";
import { Receiver, verify } from "./harness/receiver.ts";

const listener = listenerOfEachTest();

describe("a message", () => {
  test("is an event in the format of Standard Webhooks", async () => {
    const { secret } = await listener.createEndpoint();
    await listener.deposit(25.5);
    const [message] = await listener.receiver.until(1);
    const [event] = await listener.newestEvents();
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
    const { secret } = await listener.createEndpoint();
    await listener.advance(30 * DAY_S);
    await listener.deposit();
    const [message] = await listener.receiver.until(1);
    expect(() => verify(message, secret)).not.toThrow();
    expect(Date.parse(message?.body.createdAt) - Date.now()).toBeGreaterThan(29 * DAY_S * 1000);
  });

  test("is signed by this endpoint's secret and no other", async () => {
    const one = await listener.createEndpoint();
    const two = await listener.createEndpoint({ url: `${listener.receiver.url}/two` });
    await listener.deposit();
    await listener.receiver.until(2);
    const first = listener.receiver.received.find(({ path }) => path === "/hooks");
    const second = listener.receiver.received.find(({ path }) => path === "/hooks/two");
    expect(first?.text).toBe(second?.text);
    expect(() => verify(first, one.secret)).not.toThrow();
    expect(() => verify(second, two.secret)).not.toThrow();
    expect(() => verify(first, two.secret)).toThrow();
    expect(() => verify(first, listener.service.sandbox.webhookSecret)).toThrow();
  });

  test("has two signatures for 24 hours after a rotation", async () => {
    const endpoint = await listener.createEndpoint();
    const rotated = await listener.client.post(
      `/webhook-endpoints/${endpoint.webhookEndpointId}/rotate-secret`,
      undefined,
    );
    const { secret } = rotated.body.data;
    await listener.deposit();
    const [during] = await listener.receiver.until(1);
    expect(String(during?.headers["webhook-signature"]).split(" ")).toHaveLength(2);
    expect(() => verify(during, secret)).not.toThrow();
    expect(() => verify(during, endpoint.secret)).not.toThrow();

    await listener.advance(DAY_S - MINUTE_S);
    await listener.deposit();
    await listener.receiver.until(2);
    expect(() => verify(listener.receiver.received[1], endpoint.secret)).not.toThrow();

    await listener.advance(2 * MINUTE_S);
    await listener.deposit();
    await listener.receiver.until(3);
    expect(() => verify(listener.receiver.received[2], secret)).not.toThrow();
    expect(() => verify(listener.receiver.received[2], endpoint.secret)).toThrow();
  });

  test("of a card counts that card's events without gaps", async () => {
    await listener.createEndpoint({ eventTypes: ["card.topped_up"] });
    await listener.deposit(1_000);
    const cards = await Promise.all(
      [1, 2].map(() => openCard(listener.operator.pool, listener.organizationId)),
    );
    await Promise.all(
      Array.from({ length: 40 }, async (_, n) => {
        const { cardId } = cards[n % 2] ?? { cardId: "" };
        const answer = await listener.client.post(`/cards/${cardId}/top-up`, { amount: 1 });
        expect(verdict(answer)).toBe("200/000");
      }),
    );
    await listener.receiver.until(40);
    for (const { cardId } of cards) {
      const bodies = listener.receiver.received
        .map(({ body }) => body)
        .filter((b) => b.data.cardId === cardId);
      const sequences = bodies.map(({ sequence }) => sequence).toSorted((a, b) => a - b);
      expect(sequences).toEqual(Array.from({ length: 20 }, (_, n) => (sequences[0] ?? 0) + n));
    }
  });

  test("is sent to those who want its type", async () => {
    await listener.createEndpoint({ eventTypes: ["wallet.deposited", "card.issued"] });
    await listener.createEndpoint({
      url: `${listener.receiver.url}/no`,
      eventTypes: ["card.issued"],
    });
    await listener.createEndpoint({ url: `${listener.receiver.url}/all` });
    for (let n = 0; n < 5; n++) await listener.deposit();
    await listener.receiver.until(10);
    await listener.untilQuiet();
    const count = (path: string) =>
      listener.receiver.received.filter((m) => m.path === path).length;
    expect([count("/hooks"), count("/hooks/all"), count("/hooks/no")]).toEqual([5, 5, 0]);
  });

  test("is sent to those who wanted its type when it happened", async () => {
    const endpoint = await listener.createEndpoint({ eventTypes: ["wallet.deposited"] });
    listener.receiver.answerWith(() => undefined);
    for (let n = 1; n <= 12; n++) await listener.deposit(n);
    await listener.receiver.until(1);
    await listener.changeEndpoint(endpoint, { eventTypes: ["card.issued"] });
    await listener.deposit(13);
    await listener.changeEndpoint(endpoint, { eventTypes: [] });
    await listener.deposit(14);
    listener.receiver.answerWith(200);
    await listener.receiver.goDown();
    await listener.receiver.comeUp();
    await listener.untilQuiet();
    await listener.advance(HOUR_S);
    await until("everything has arrived", () => listener.receiver.ids.length === 13);
    await listener.untilQuiet();
    const amounts = new Set(listener.receiver.received.map(({ body }) => body.data.amount));
    expect(amounts).toEqual(new Set([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 14]));
  });

  /** Makes an answer wait while events that are committed have no place in the feed yet. */
  async function whileFeedWaits<T>(work: () => Promise<T>): Promise<T> {
    const holder = await listener.operator.pool.connect();
    try {
      await holder.query("begin");
      await holder.query(LOCK_FEED.text, LOCK_FEED.values);
      await listener.deposit(1);
      const working = work();
      await pause(200);
      await holder.query("commit");
      return await working;
    } finally {
      holder.release();
    }
  }

  test("of what happened before an endpoint existed is not sent to it", async () => {
    await whileFeedWaits(() => listener.createEndpoint());
    await listener.deposit(2);
    await listener.receiver.until(1);
    await listener.untilQuiet();
    expect(listener.receiver.received.map(({ body }) => body.data.amount)).toEqual([2]);
  });

  test("of what happened while an endpoint was disabled is not sent to it", async () => {
    const endpoint = await listener.createEndpoint();
    await listener.changeEndpoint(endpoint, { status: "Disabled" });
    await whileFeedWaits(() => listener.changeEndpoint(endpoint, { status: "Enabled" }));
    await listener.deposit(2);
    await listener.receiver.until(1);
    await listener.untilQuiet();
    expect(listener.receiver.received.map(({ body }) => body.data.amount)).toEqual([2]);
  });

  test("stays within its organization", async () => {
    const stranger = await Receiver.open();
    const other = await listener.foundOrganization();
    await other.client.post("/webhook-endpoints", { url: stranger.url });
    await listener.createEndpoint();
    await listener.deposit();
    await listener.receiver.until(1);
    await listener.untilQuiet();
    expect(stranger.received).toEqual([]);
    await stranger.goDown();
  });
});
