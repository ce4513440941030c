import { describe, expect, test } from "vitest";
import type { Outcome } from "../../outbound/outcome.ts";
import { resultOf } from "./attempt-result.ts";
import type { Delivery } from "./delivery.ts";

const AT = new Date("2026-01-31T12:00:00.000Z");
const NOW = new Date("2026-01-31T12:00:01.000Z");
const delivery: Delivery = {
  organizationId: "org_1",
  webhookEndpointId: "whe_1",
  eventId: "evt_1",
  eventType: "wallet.deposited",
  createdAt: AT,
  sequence: null,
  clientReference: null,
  dataJson: "{}",
  attempts: 0,
};
const answer = (status: number, more: object = {}): Outcome => ({
  isAnswer: true,
  status,
  body: Buffer.alloc(0),
  truncated: false,
  durationMs: 7,
  ...more,
});
const times = { at: AT, now: NOW, random: 0 };
const secondsLater = (seconds: number): Date => new Date(NOW.getTime() + seconds * 1_000);

describe("an attempt", () => {
  test("is noted as it was", () => {
    expect(resultOf(delivery, answer(503), times)).toEqual({
      organizationId: "org_1",
      webhookEndpointId: "whe_1",
      eventId: "evt_1",
      attempts: 0,
      at: AT,
      httpStatus: 503,
      error: null,
      durationMs: 7,
      isAcknowledged: false,
      nextAt: secondsLater(5),
    });
  });

  test("without an answer has an error, and a status if there was one", () => {
    const failure = {
      isAnswer: false,
      reason: "Redirected",
      message: "No",
      durationMs: 1,
    } as const;
    expect(resultOf(delivery, failure, times)).toMatchObject({ httpStatus: null, error: "No" });
    expect(resultOf(delivery, { ...failure, status: 302 }, times)).toMatchObject({
      httpStatus: 302,
      error: "No",
      isAcknowledged: false,
    });
  });

  test.each<[number, object, Date | null]>([
    [1, {}, secondsLater(30)],
    [6, {}, secondsLater(86_400)],
    [7, {}, null],
    [0, { retryAfter: "60" }, secondsLater(60)],
    [7, { retryAfter: "60" }, null],
  ])("after %i failures, with %o, is followed by one at %s", (attempts, more, expected) => {
    const { nextAt } = resultOf({ ...delivery, attempts }, answer(500, more), times);
    expect(nextAt).toEqual(expected);
  });
});
