import { describe, expect, test } from "vitest";
import { expectRefusal, verdict } from "./harness/answers.ts";
import { openCard } from "./harness/cards.ts";
import { type CreatedEndpoint, HOUR_S, listenerOfEachTest } from "./harness/listener.ts";

const listener = listenerOfEachTest();

describe("resending", () => {
  test("sends an event again, to whoever wants it", async () => {
    await listener.createEndpoint();
    await listener.createEndpoint({
      url: `${listener.receiver.url}/cards`,
      eventTypes: ["card.issued"],
    });
    await listener.deposit();
    const [{ body } = { body: undefined }] = await listener.receiver.until(1);
    await listener.attemptsOf(body.eventId, 1);
    const answer = await listener.client.post(`/events/${body.eventId}/resend`, undefined);
    expect(verdict(answer)).toBe("200/000");
    expect(answer.body.data).toMatchObject(body);
    await listener.receiver.until(2);
    await listener.attemptsOf(body.eventId, 2);
    await listener.untilQuiet();
    expect(listener.receiver.received.map(({ path }) => path)).toEqual(["/hooks", "/hooks"]);
    expect(listener.receiver.received[1]?.text).toBe(listener.receiver.received[0]?.text);
    // By now a later endpoint gets it too.
    await listener.createEndpoint({ url: `${listener.receiver.url}/late` });
    await listener.client.post(`/events/${body.eventId}/resend`, {});
    await listener.receiver.until(4);
  });

  test("is seen as under way until its attempt is seen", async () => {
    await listener.createEndpoint();
    await listener.deposit();
    const [{ body } = { body: undefined }] = await listener.receiver.until(1);
    await listener.attemptsOf(body.eventId, 1);
    for (let count = 2; count <= 40; count++) {
      await listener.client.post(`/events/${body.eventId}/resend`, undefined);
      let seen = await listener.readEvent(body.eventId);
      while (seen.deliveries.some(({ status }: { status: string }) => status === "Pending")) {
        seen = await listener.readEvent(body.eventId);
      }
      expect(seen.attempts).toHaveLength(count);
    }
  });

  test("gives an event that has failed for good all its attempts again", async () => {
    await listener.createEndpoint();
    listener.receiver.answerWith(500);
    await listener.deposit();
    const [{ body } = { body: undefined }] = await listener.receiver.until(1);
    await listener.useUpAttempts(body.eventId);
    await listener.client.post(`/events/${body.eventId}/resend`, undefined);
    await listener.attemptsOf(body.eventId, 9);
    listener.receiver.answerWith(200);
    await listener.advance(5);
    await listener.attemptsOf(body.eventId, 10);
    expect((await listener.readEvent(body.eventId)).deliveries).toMatchObject([
      { status: "Delivered" },
    ]);
  });

  test("is not for events that are unknown, malformed or another's", async () => {
    await listener.deposit();
    const [event] = await listener.newestEvents();
    const other = await listener.foundOrganization();
    const path = (id: string) => `/events/${id}/resend`;
    expectRefusal(await other.client.post(path(event?.eventId ?? ""), undefined), "404/157");
    expectRefusal(
      await listener.client.post(path("evt_0000000000000000000000000a"), undefined),
      "404/157",
    );
    expectRefusal(await listener.client.post(path("evt_x"), undefined), "404/157");
    expectRefusal(await listener.client.post(path(event?.eventId ?? ""), { x: 1 }), "400/131");
  });
});

describe("recovering", () => {
  const recover = (endpoint: CreatedEndpoint, since: string) =>
    listener.client.post(`/webhook-endpoints/${endpoint.webhookEndpointId}/recover`, { since });

  test("sends what was not acknowledged since then: failed, waiting, missed", async () => {
    await listener.deposit(1);
    await listener.advance(HOUR_S);
    const since = await listener.advance(1);
    await listener.deposit(2); // before the endpoint existed
    const endpoint = await listener.createEndpoint();
    await listener.deposit(3); // acknowledged
    await listener.receiver.until(1);
    const failing = (response: { writeHead(status: number): { end(): void } }) =>
      response.writeHead(500).end();
    listener.receiver.answerWith(failing);
    await listener.deposit(4); // fails for good
    const [, { body: failed } = { body: undefined }] = await listener.receiver.until(2);
    await listener.useUpAttempts(failed.eventId);
    await listener.deposit(5); // waits
    const waiting = (await listener.newestEvents(1))[0]?.eventId ?? "";
    await listener.attemptsOf(waiting, 1);
    await listener.changeEndpoint(endpoint, { status: "Disabled" });
    await listener.deposit(6); // while it was disabled
    expectRefusal(await recover(endpoint, since), "422/119");
    await listener.changeEndpoint(endpoint, { status: "Enabled" });

    listener.receiver.answerWith(200);
    const before = listener.receiver.received.length;
    expect(verdict(await recover(endpoint, since))).toBe("200/000");
    await listener.receiver.until(before + 4);
    await listener.untilQuiet();
    const amounts = listener.receiver.received.slice(before).map(({ body }) => body.data.amount);
    expect(amounts.toSorted()).toEqual([2, 4, 5, 6]);

    await recover(endpoint, since);
    await listener.untilQuiet();
    expect(listener.receiver.received).toHaveLength(before + 4);
  });

  test("tells the beginning of a payment as it was, whatever has become of it since", async () => {
    await listener.deposit(100);
    const { cardId } = await openCard(listener.operator.pool, listener.organizationId);
    const toppedUp = await listener.client.post(`/cards/${cardId}/top-up`, { amount: 50 });
    const bought = await listener.client.post("/simulator/authorizations", { cardId, amount: 20 });
    const { decision: _, ...purchase } = bought.body.data;
    const { transactionId } = purchase;
    await listener.client.post(`/simulator/transactions/${transactionId}/settle`, { amount: 15 });
    await listener.client.post(`/simulator/transactions/${transactionId}/reverse`, {});
    const declined = await listener.client.post("/simulator/authorizations", {
      cardId,
      amount: 999,
    });
    const { decision: __, ...decline } = declined.body.data;

    const eventTypes = ["card.topped_up", "transaction.authorized", "transaction.declined"];
    const endpoint = await listener.createEndpoint({ eventTypes });
    await recover(endpoint, "2020-01-01");
    await listener.receiver.until(3);
    const told = new Map(listener.receiver.received.map(({ body }) => [body.eventType, body]));
    expect(told.get("card.topped_up").data).toEqual(toppedUp.body.data);
    expect(told.get("transaction.authorized").data).toEqual(purchase);
    expect(told.get("transaction.declined").data).toEqual(decline);
    for (const body of told.values()) {
      const { attempts: _a, deliveries: _d, ...event } = await listener.readEvent(body.eventId);
      expect(event).toEqual(body);
    }
  });

  test("goes through a long past, and only through the types that are wanted", async () => {
    await Promise.all(Array.from({ length: 600 }, () => listener.deposit()));
    const card = await openCard(listener.operator.pool, listener.organizationId);
    await listener.client.post(`/cards/${card.cardId}/top-up`, { amount: 1 });
    const endpoint = await listener.createEndpoint({ eventTypes: ["wallet.deposited"] });
    await recover(endpoint, "2020-01-01");
    await listener.receiver.until(600);
    await listener.untilQuiet();
    expect(listener.receiver.ids).toHaveLength(600);
    expect(listener.receiver.received).toHaveLength(600);
  });
});
