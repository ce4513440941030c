import { describe, expect, test } from "vitest";
import { TIMESTAMP } from "./harness/answers.ts";
import { until } from "./harness/eventually.ts";
import { DAY_S, HOUR_S, listenerOfEachTest, MINUTE_S, RETRIES_S } from "./harness/listener.ts";

const listener = listenerOfEachTest();

describe("an attempt that fails", () => {
  test("is made again after 5 s, 30 s, 2 min, 10 min, 1 h, 6 h and 24 h; then it has failed", async () => {
    const endpoint = await listener.createEndpoint();
    listener.receiver.answerWith(500);
    await listener.deposit();
    const [{ body } = { body: undefined }] = await listener.receiver.until(1);
    for (const [index, delay] of RETRIES_S.entries()) {
      await listener.attemptsOf(body.eventId, index + 1);
      // Jitter takes a fifth at most, so before that nothing may come.
      const tooEarly = Math.floor(delay * 0.7);
      await listener.advance(tooEarly);
      await listener.untilQuiet();
      expect((await listener.readEvent(body.eventId)).attempts).toHaveLength(index + 1);
      await listener.advance(delay - tooEarly);
      await listener.receiver.until(index + 2);
    }
    await listener.attemptsOf(body.eventId, 8);
    await listener.advance(30 * DAY_S);
    await listener.untilQuiet();
    const event = await listener.readEvent(body.eventId);
    expect(event.attempts).toHaveLength(8);
    expect(event.deliveries).toEqual([
      { webhookEndpointId: endpoint.webhookEndpointId, status: "Failed" },
    ]);
    expect(new Set(listener.receiver.received.map(({ text }) => text)).size).toBe(1);
    expect(
      new Set(listener.receiver.received.map(({ headers }) => headers["webhook-id"])).size,
    ).toBe(1);
  });

  test("is visible, with what came of it", async () => {
    const endpoint = await listener.createEndpoint();
    listener.receiver.answerWith(503);
    await listener.deposit();
    const [{ body } = { body: undefined }] = await listener.receiver.until(1);
    await listener.attemptsOf(body.eventId, 1);
    listener.receiver.answerWith((response) =>
      response.writeHead(302, { location: "/elsewhere" }).end(),
    );
    await listener.advance(5);
    await listener.attemptsOf(body.eventId, 2);
    await listener.receiver.goDown();
    await listener.advance(30);
    await listener.attemptsOf(body.eventId, 3);
    const pending = await listener.readEvent(body.eventId);
    expect(pending.deliveries).toEqual([
      {
        webhookEndpointId: endpoint.webhookEndpointId,
        status: "Pending",
        nextAttemptAt: expect.stringMatching(TIMESTAMP),
      },
    ]);
    await listener.receiver.comeUp();
    listener.receiver.answerWith(204);
    await listener.advance(2 * MINUTE_S);
    const { webhookEndpointId } = endpoint;
    const common = {
      webhookEndpointId,
      at: expect.stringMatching(TIMESTAMP),
      durationMs: expect.any(Number),
    };
    const attempts = await listener.attemptsOf(body.eventId, 4);
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
    expect((await listener.readEvent(body.eventId)).deliveries).toEqual([
      { webhookEndpointId, status: "Delivered" },
    ]);
    expect(listener.receiver.received.map(({ path }) => path)).not.toContain("/elsewhere");
  });

  test.each([200, 201, 202, 204, 299])("%i acknowledges", async (status) => {
    await listener.createEndpoint();
    listener.receiver.answerWith(status);
    await listener.deposit();
    const [{ body } = { body: undefined }] = await listener.receiver.until(1);
    await listener.attemptsOf(body.eventId, 1);
    await listener.advance(10);
    await listener.untilQuiet();
    expect(listener.receiver.received).toHaveLength(1);
  });

  test.each([400, 401, 404, 410, 429, 500, 502])("%i does not", async (status) => {
    await listener.createEndpoint();
    listener.receiver.answerWith(status);
    await listener.deposit();
    const [{ body } = { body: undefined }] = await listener.receiver.until(1);
    await listener.attemptsOf(body.eventId, 1);
    await listener.advance(5);
    await listener.receiver.until(2);
  });

  test("waits as long as Retry-After asks for, within a day", async () => {
    await listener.createEndpoint();
    listener.receiver.answerWith((response) =>
      response.writeHead(429, { "retry-after": "3600" }).end(),
    );
    await listener.deposit();
    const [{ body } = { body: undefined }] = await listener.receiver.until(1);
    await listener.attemptsOf(body.eventId, 1);
    await listener.advance(HOUR_S - MINUTE_S);
    await listener.untilQuiet();
    expect(listener.receiver.received).toHaveLength(1);
    listener.receiver.answerWith((response) =>
      response.writeHead(503, { "retry-after": String(365 * DAY_S) }).end(),
    );
    await listener.advance(MINUTE_S);
    await listener.receiver.until(2);
    await listener.attemptsOf(body.eventId, 2);
    await listener.advance(DAY_S);
    await listener.receiver.until(3);
  });
});

test("a receiver that is down for an hour gets everything when it is back", async () => {
  await listener.createEndpoint();
  await listener.receiver.goDown();
  for (let n = 1; n <= 30; n++) await listener.deposit(n);
  const events = await listener.newestEvents();
  await until("each was tried once", async () => {
    const { rowCount } = await listener.operator.pool.query(
      "select from webhook_deliveries where organization_id = $1 and attempts >= 1",
      [listener.organizationId],
    );
    return rowCount === 30;
  });
  for (const seconds of [5, 30, 2 * MINUTE_S, 10 * MINUTE_S]) {
    await listener.advance(seconds);
    await listener.untilQuiet();
  }
  await listener.advance(45 * MINUTE_S);
  await listener.untilQuiet();
  await listener.receiver.comeUp();
  await listener.advance(HOUR_S);
  await listener.receiver.until(30);
  await listener.untilQuiet();
  expect(listener.receiver.ids.toSorted()).toEqual(events.map(({ eventId }) => eventId).toSorted());
  expect(listener.receiver.received).toHaveLength(30);
  const [event] = events;
  const { attempts } = await listener.readEvent(event?.eventId ?? "");
  expect(attempts.at(-1)).toMatchObject({ httpStatus: 200 });
});
