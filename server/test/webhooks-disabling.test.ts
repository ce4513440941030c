import { describe, expect, test } from "vitest";
import { until } from "./harness/eventually.ts";
import { DAY_S, HOUR_S, listenerOfEachTest } from "./harness/listener.ts";
import { Receiver } from "./harness/receiver.ts";

const listener = listenerOfEachTest();

describe("a disabled endpoint", () => {
  test("is sent nothing; enabled again, what happens from then on", async () => {
    const endpoint = await listener.createEndpoint();
    await listener.changeEndpoint(endpoint, { status: "Disabled" });
    await listener.deposit(1);
    await listener.untilQuiet();
    await listener.changeEndpoint(endpoint, { status: "Enabled" });
    await listener.deposit(2);
    await listener.receiver.until(1);
    await listener.untilQuiet();
    expect(listener.receiver.received.map(({ body }) => body.data.amount)).toEqual([2]);
  });

  test("goes on with what waited for another attempt when it is enabled again", async () => {
    const endpoint = await listener.createEndpoint();
    listener.receiver.answerWith(500);
    await listener.deposit(1);
    const [{ body } = { body: undefined }] = await listener.receiver.until(1);
    await listener.attemptsOf(body.eventId, 1);
    await listener.changeEndpoint(endpoint, { status: "Disabled" });
    listener.receiver.answerWith(200);
    await listener.advance(HOUR_S);
    await listener.untilQuiet();
    expect(listener.receiver.received).toHaveLength(1);
    await listener.changeEndpoint(endpoint, { status: "Enabled" });
    await listener.receiver.until(2);
  });

  test("is sent what it had not come to before, when it is enabled again", async () => {
    const endpoint = await listener.createEndpoint();
    listener.receiver.answerWith(() => undefined);
    for (let n = 1; n <= 12; n++) await listener.deposit(n);
    await listener.receiver.until(1);
    await listener.changeEndpoint(endpoint, { status: "Disabled" });
    await listener.deposit(13);
    await listener.changeEndpoint(endpoint, { status: "Disabled" });
    listener.receiver.answerWith(200);
    await listener.receiver.goDown();
    await listener.receiver.comeUp();
    await listener.untilQuiet();
    expect(listener.receiver.ids.length).toBeLessThan(12);
    await listener.changeEndpoint(endpoint, { status: "Enabled" });
    await listener.deposit(14);
    await listener.advance(HOUR_S);
    await until("everything has arrived", () => listener.receiver.ids.length === 13);
    await listener.untilQuiet();
    const amounts = new Set(listener.receiver.received.map(({ body }) => body.data.amount));
    expect(amounts).toEqual(new Set([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 14]));
  });

  test("that is deleted loses what waited, and nothing else", async () => {
    const endpoint = await listener.createEndpoint();
    const other = await listener.createEndpoint({ url: `${listener.receiver.url}/other` });
    listener.receiver.answerWith(500);
    for (let n = 0; n < 3; n++) await listener.deposit();
    await listener.receiver.until(6);
    await listener.untilQuiet();
    await listener.client.call("DELETE", `/webhook-endpoints/${endpoint.webhookEndpointId}`);
    const owners = async () => {
      const { rows } = await listener.operator.pool.query(
        `select distinct webhook_endpoint_id as id from webhook_deliveries where organization_id = $1`,
        [listener.organizationId],
      );
      return rows.map(({ id }) => id);
    };
    await until("its deliveries are cleared away", async () => (await owners()).length === 1);
    expect(await owners()).toEqual([other.webhookEndpointId]);
    listener.receiver.answerWith(200);
    await listener.advance(5);
    await listener.receiver.until(9);
    await listener.untilQuiet();
    const later = listener.receiver.received.slice(6).map(({ path }) => path);
    expect(later).toEqual(["/hooks/other", "/hooks/other", "/hooks/other"]);
  });
});

describe("an endpoint that only fails", () => {
  const disabledEvents = async () =>
    (await listener.newestEvents()).filter(
      ({ eventType }) => eventType === "webhook_endpoint.disabled",
    );

  test("for 5 days is disabled, and an event tells so", async () => {
    const endpoint = await listener.createEndpoint();
    const witness = await Receiver.open();
    await listener.createEndpoint({ url: witness.url, eventTypes: ["webhook_endpoint.disabled"] });
    listener.receiver.answerWith(500);
    await listener.deposit();
    const [{ body } = { body: undefined }] = await listener.receiver.until(1);
    await listener.attemptsOf(body.eventId, 1);
    await listener.advance(5 * DAY_S - HOUR_S);
    await listener.attemptsOf(body.eventId, 2);
    expect((await listener.readEndpoint(endpoint)).status).toBe("Enabled");
    await listener.advance(HOUR_S);
    await until(
      "it is disabled",
      async () => (await listener.readEndpoint(endpoint)).status === "Disabled",
    );
    const [notice] = await witness.until(1);
    expect(notice?.body).toMatchObject({
      eventType: "webhook_endpoint.disabled",
      sequence: null,
      data: { webhookEndpointId: endpoint.webhookEndpointId, url: listener.receiver.url },
    });
    expect(await disabledEvents()).toHaveLength(1);
    const before = listener.receiver.received.length;
    await listener.advance(DAY_S);
    await listener.deposit();
    await listener.untilQuiet();
    expect(listener.receiver.received).toHaveLength(before);
    await witness.goDown();
  });

  test("is disabled also when nothing is left to be tried", async () => {
    const endpoint = await listener.createEndpoint();
    listener.receiver.answerWith(500);
    await listener.deposit();
    const [{ body } = { body: undefined }] = await listener.receiver.until(1);
    await listener.useUpAttempts(body.eventId);
    expect((await listener.readEndpoint(endpoint)).status).toBe("Enabled");
    await listener.advance(4 * DAY_S);
    await until(
      "it is disabled",
      async () => (await listener.readEndpoint(endpoint)).status === "Disabled",
    );
  });

  test("and is back in time stays enabled: it is tried before it is judged", async () => {
    const endpoint = await listener.createEndpoint();
    listener.receiver.answerWith(500);
    await listener.deposit();
    const [{ body } = { body: undefined }] = await listener.receiver.until(1);
    await listener.attemptsOf(body.eventId, 1);
    listener.receiver.answerWith(200);
    await listener.advance(6 * DAY_S);
    await listener.attemptsOf(body.eventId, 2);
    listener.receiver.answerWith(500);
    await listener.deposit();
    await listener.receiver.until(3);
    await listener.advance(4 * DAY_S);
    await listener.receiver.until(4);
    await listener.untilQuiet();
    expect((await listener.readEndpoint(endpoint)).status).toBe("Enabled");
    expect(await disabledEvents()).toEqual([]);
  });
});
