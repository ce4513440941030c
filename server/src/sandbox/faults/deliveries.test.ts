import { expect, test } from "vitest";
import { type Answered, failed, type Outcome } from "../../outbound/outcome.ts";
import type { Delivery } from "../../webhooks/delivery/delivery.ts";
import { type Fault, FaultBoard } from "./board.ts";
import { FaultyDeliveries } from "./deliveries.ts";

const delivery = (eventId: string, change: Partial<Delivery> = {}): Delivery => ({
  organizationId: "org_1",
  webhookEndpointId: "whe_1",
  eventId,
  eventType: "wallet.deposited",
  createdAt: new Date(0),
  sequence: null,
  clientReference: null,
  dataJson: "{}",
  attempts: 0,
  ...change,
});

const answer = (status: number): Answered => ({
  isAnswer: true,
  status,
  body: Buffer.alloc(0),
  truncated: false,
  durationMs: 1,
});

/** Deliveries that note what was sent, in order. */
function deliveries(...faults: Fault[]) {
  const board = new FaultBoard();
  for (const fault of faults) board.set("org_1", fault);
  const { meet } = new FaultyDeliveries(board);
  const sent: string[] = [];
  const deliver = (one: Delivery, outcomes: Outcome[] = [answer(200)]) => {
    const left = [...outcomes];
    return meet(one, async () => {
      sent.push(one.eventId);
      return left.shift() ?? answer(200);
    });
  };
  return { board, sent, deliver };
}

test("what was delayed is not delayed again, nor does it meet anything else", async () => {
  const { sent, deliver } = deliveries(
    { fault: "DelayDeliveries", count: 1, seconds: 90 },
    { fault: "DuplicateDeliveries", count: 1 },
  );
  expect(await deliver(delivery("A"))).toEqual({ heldBackMs: 90_000 });
  expect(await deliver(delivery("A"))).toEqual(answer(200));
  expect(sent).toEqual(["A"]);
  await deliver(delivery("B"));
  expect(sent).toEqual(["A", "B", "B"]);
});

test("a delivery waits for the next to the same endpoint, and only for that", async () => {
  const { sent, deliver } = deliveries({ fault: "ReorderDeliveries", count: 1 });
  const held = await deliver(delivery("A"));
  if (!("sooner" in held)) throw new Error("It was not held back.");
  const freed: string[] = [];
  const free = held.sooner?.then(() => freed.push("A"));
  await deliver(delivery("A", { webhookEndpointId: "whe_2" }));
  expect(freed).toEqual([]);
  await deliver(delivery("B"), [failed("ConnectionFailed", 1)]);
  await free;
  await deliver(delivery("A"));
  expect(sent).toEqual(["A", "B", "A"]);
});

test("one that nothing overtook in time lets nobody wait for it", async () => {
  const { board, sent, deliver } = deliveries({ fault: "ReorderDeliveries", count: 1 });
  await deliver(delivery("A"));
  await deliver(delivery("A"));
  board.set("org_1", { fault: "DropDeliveries", count: 1 });
  expect(await deliver(delivery("B"))).toMatchObject({ isAnswer: false, reason: "Timeout" });
  expect(sent).toEqual(["A"]);
});

test.each([
  [200, 200, 200],
  [500, 200, 200],
  [200, 500, 200],
  [500, 503, 503],
])("of two answers %i and %i, %i counts", async (first, second, counts) => {
  const { sent, deliver } = deliveries({ fault: "DuplicateDeliveries", count: 1 });
  const outcome = await deliver(delivery("A"), [answer(first), answer(second)]);
  expect(outcome).toEqual(answer(counts));
  expect(sent).toEqual(["A", "A"]);
});

test("another organization's deliveries meet nothing", async () => {
  const { sent, deliver } = deliveries({ fault: "DropDeliveries", count: 1 });
  await deliver(delivery("A", { organizationId: "org_2" }));
  expect(sent).toEqual(["A"]);
});
