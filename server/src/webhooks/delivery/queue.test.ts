import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Claimed, divide, EndpointQueue, freeOf, MAX_IN_HAND, MAX_LIMIT } from "./queue.ts";

const key = { organizationId: "org_1", webhookEndpointId: "whe_1" };
const stranger = { organizationId: "org_2", webhookEndpointId: "whe_2" };
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

function after(outcomes: (typeof good)[], isSuspect = false, owner = key): EndpointQueue {
  const queue = new EndpointQueue(owner, isSuspect);
  for (const outcome of outcomes) {
    queue.add(claimed);
    queue.next();
    queue.done(outcome);
    queue.recorded();
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

test("what waits and what is on its way takes room, what is asked for in vain does not", () => {
  const queue = after([good]);
  expect(queue.next()).toBeUndefined();
  expect([queue.inHand, queue.room]).toEqual([0, 20]);
  for (let n = 0; n < 3; n++) queue.add(claimed);
  queue.next();
  expect([queue.inHand, queue.room]).toEqual([3, 17]);
  expect(queue.clear()).toHaveLength(2);
  expect([queue.inHand, queue.room]).toEqual([1, 19]);
});

test("what came of it is in hand until it is recorded, and then there is no more than so much", () => {
  const queue = after(Array(100).fill(good));
  for (let n = 1; n <= MAX_IN_HAND; n++) {
    queue.add(claimed);
    queue.next();
    queue.done(good);
    expect([queue.inHand, queue.room]).toEqual([n, MAX_IN_HAND - n]);
  }
  queue.recorded();
  expect([queue.inHand, queue.room]).toEqual([MAX_IN_HAND - 1, 1]);
  queue.add(claimed);
  queue.next();
  queue.done();
  expect(queue.inHand).toBe(MAX_IN_HAND - 1);
});

describe("dividing", () => {
  const proven = () => after(Array(100).fill(good));
  const suspect = () => after([failed]);
  const roomsOf = (queues: EndpointQueue[], maxInHand: number) => {
    const rooms = divide(queues, freeOf(maxInHand, queues));
    return queues.map((queue) => rooms.get(queue) ?? 0);
  };
  const sum = (rooms: number[]) => rooms.reduce((total, room) => total + room, 0);

  test("everyone gets what it wants while there is enough", () => {
    expect(roomsOf([proven(), after([]), suspect()], 512)).toEqual([128, 4, 2]);
  });

  test("nobody takes everything", () => {
    const another = after(Array(100).fill(good), false, stranger);
    expect(roomsOf([proven(), another], 40)).toEqual([20, 20]);
  });

  test("suspects never take what is kept for the others", () => {
    const queues = [...Array.from({ length: 300 }, suspect), after([])];
    const rooms = roomsOf(queues, 512);
    expect(sum(rooms.slice(0, 300))).toBe(256);
    expect(rooms.at(-1)).toBeGreaterThan(0);
  });

  test("an organization never takes what is kept for the others, however much it wants", () => {
    const others = after([], false, stranger);
    const queues = [...Array.from({ length: 100 }, proven), others];
    for (let round = 0; round < 100; round++) {
      for (const [queue, room] of divide(queues, freeOf(512, queues))) {
        if (queue === others) continue;
        for (let n = 0; n < room; n++) queue.add(claimed);
      }
    }
    expect(sum(queues.map(({ inHand }) => inHand))).toBe(384);
    expect(roomsOf(queues, 512).at(-1)).toBeGreaterThan(0);
  });

  test("what the others have in hand is not taken from what suspects may have", () => {
    const busy = after(Array(100).fill(good), false, stranger);
    for (let n = 0; n < 10; n++) busy.add(claimed);
    const queues = [busy, ...Array.from({ length: 300 }, suspect)];
    expect(sum(roomsOf(queues, 40).slice(1))).toBe(20);
    expect(freeOf(40, queues)).toMatchObject({ all: 30, suspects: 20 });
  });

  test("never more than is free, in whatever state", () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.tuple(
            fc.array(fc.constantFrom(good, slow, failed), { maxLength: 40 }),
            fc.constantFrom(key, stranger),
          ),
          { maxLength: 30 },
        ),
        fc.integer({ min: 8, max: 100 }),
        fc.integer({ min: 0, max: 10 }),
        (histories, maxInHand, inHand) => {
          const queues = histories.map(([history, owner]) => after(history, false, owner));
          for (const queue of queues) for (let n = 0; n < inHand; n++) queue.add(claimed);
          const rooms = divide(queues, freeOf(maxInHand, queues));
          const expectAtMost = (most: number, some: EndpointQueue[]) => {
            const left = most - sum(some.map((queue) => queue.inHand));
            const room = sum(some.map((queue) => rooms.get(queue) ?? 0));
            expect(room).toBeLessThanOrEqual(Math.max(left, 0));
          };
          expectAtMost(maxInHand, queues);
          for (const owner of [key, stranger]) {
            expectAtMost(
              Math.ceil((maxInHand * 3) / 4),
              queues.filter((queue) => queue.key === owner),
            );
          }
          expectAtMost(
            Math.ceil(maxInHand / 2),
            queues.filter(({ isSuspect }) => isSuspect),
          );
          for (const [queue, room] of rooms) {
            expect(room).toBeGreaterThan(0);
            expect(room).toBeLessThanOrEqual(queue.room);
          }
        },
      ),
    );
  });
});
