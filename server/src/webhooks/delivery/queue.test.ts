import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Claimed, divide, EndpointQueue, MAX_LIMIT } from "./queue.ts";

const key = { organizationId: "org_1", webhookEndpointId: "whe_1" };
const claimed = {} as Claimed;
const good = { isAcknowledged: true, durationMs: 5 };
const slow = { isAcknowledged: true, durationMs: 5_000 };
const failed = { isAcknowledged: false, durationMs: 5 };

/** How many go out at once when there is plenty to do. */
function atOnce(queue: EndpointQueue): number {
  for (let n = 0; n < 200; n++) queue.add(claimed);
  let count = 0;
  while (queue.next() !== undefined) count++;
  for (let n = 0; n < count; n++) queue.done();
  queue.clear();
  return count;
}

function after(outcomes: (typeof good)[], isSuspect = false): EndpointQueue {
  const queue = new EndpointQueue(key, isSuspect);
  for (const outcome of outcomes) {
    queue.add(claimed);
    queue.next();
    queue.done(outcome);
  }
  return queue;
}

describe("how many deliveries go out at once", () => {
  test.each<[string, (typeof good)[], boolean, number]>([
    ["an endpoint that nobody knows", [], false, 4],
    ["one that is known to fail", [], true, 2],
    ["one more for each good answer", [good, good, good], false, 7],
    ["a failing one that is back", [good], true, 3],
    ["half as many after a failure", [good, good, good, good, failed], false, 4],
    ["half as many after a slow answer", [good, good, good, good, slow], false, 4],
    ["never less than two", [failed, failed, failed, failed], false, 2],
    ["never more than there are connections", Array(100).fill(good), false, MAX_LIMIT],
  ])("%s", (_what, outcomes, isSuspect, expected) => {
    expect(atOnce(after(outcomes, isSuspect))).toBe(expected);
  });

  test("one that never came to an outcome says nothing", () => {
    const queue = after([good]);
    queue.add(claimed);
    queue.next();
    queue.done();
    expect(atOnce(queue)).toBe(5);
  });
});

test.each<[string, (typeof good)[], boolean]>([
  ["nothing is known", [], false],
  ["the last answer was good", [failed, good], false],
  ["the last answer was slow", [good, slow], true],
  ["the last attempt failed", [good, failed], true],
])("suspect when %s: %#", (_what, outcomes, expected) => {
  expect(after(outcomes).isSuspect).toBe(expected);
});

test("only an endpoint that keeps up is given more than goes out at once", () => {
  expect(after([]).room).toBe(4);
  expect(after([good]).room).toBe(20);
  expect(after([good, failed]).room).toBe(2);
});

describe("dividing", () => {
  const proven = () => after(Array(100).fill(good));
  const suspect = () => after([failed]);
  const roomsOf = (queues: EndpointQueue[], free: { all: number; suspects: number }) => {
    const rooms = divide(queues, free);
    return queues.map((queue) => rooms.get(queue) ?? 0);
  };

  test("everyone gets what it wants while there is enough", () => {
    expect(roomsOf([proven(), after([]), suspect()], { all: 512, suspects: 256 })).toEqual([
      128, 4, 2,
    ]);
  });

  test("nobody takes everything", () => {
    expect(roomsOf([proven(), proven()], { all: 40, suspects: 20 })).toEqual([20, 20]);
  });

  test("suspects never take what is kept for the others", () => {
    const queues = [...Array.from({ length: 300 }, suspect), after([])];
    const rooms = roomsOf(queues, { all: 512, suspects: 256 });
    expect(rooms.slice(0, 300).reduce((sum, room) => sum + room, 0)).toBe(256);
    expect(rooms.at(-1)).toBeGreaterThan(0);
  });

  test("never more than is free, in whatever state", () => {
    fc.assert(
      fc.property(
        fc.array(fc.array(fc.constantFrom(good, slow, failed), { maxLength: 40 }), {
          maxLength: 30,
        }),
        fc.integer({ min: -5, max: 100 }),
        fc.integer({ min: -5, max: 100 }),
        (histories, all, suspects) => {
          const queues = histories.map((history) => after(history));
          const rooms = divide(queues, { all, suspects });
          const sum = (some: [EndpointQueue, number][]) =>
            some.reduce((n, [, room]) => n + room, 0);
          expect(sum([...rooms])).toBeLessThanOrEqual(Math.max(all, 0));
          expect(sum([...rooms].filter(([queue]) => queue.isSuspect))).toBeLessThanOrEqual(
            Math.max(suspects, 0),
          );
          for (const [queue, room] of rooms) expect(room).toBeLessThanOrEqual(queue.room);
        },
      ),
    );
  });
});
