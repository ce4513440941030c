import fc from "fast-check";
import { expect, test } from "vitest";
import { ClosedLoop, OpenLoop, type Supply } from "./schedule.ts";

function takeAll(supply: Supply, nowMs: number): number[] {
  const taken: number[] = [];
  for (let due = supply.take(nowMs); due !== undefined; due = supply.take(nowMs)) taken.push(due);
  return taken;
}

test("an open loop is due at even intervals from its start", () => {
  const loop = new OpenLoop(1_000, { perSecond: 100, seconds: 0.05 });
  expect(takeAll(loop, 999)).toEqual([]);
  expect(takeAll(loop, 1_000)).toEqual([1_000]);
  expect(takeAll(loop, 1_025)).toEqual([1_010, 1_020]);
  expect(loop.isOver()).toBe(false);
  // However late they are taken, they were due in their time.
  expect(takeAll(loop, 9_999)).toEqual([1_030, 1_040]);
  expect(loop.isOver()).toBe(true);
});

test("however it is looked at, an open loop gives the same requests, none before its time", () => {
  const looks = fc.array(fc.double({ min: 0, max: 3_000, noNaN: true }), { maxLength: 50 });
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 500 }),
      fc.integer({ min: 1, max: 2 }),
      looks,
      (...run) => {
        const [perSecond, seconds, times] = run;
        const loop = new OpenLoop(0, { perSecond, seconds });
        const taken = times
          .toSorted((a, b) => a - b)
          .flatMap((nowMs) => {
            const due = takeAll(loop, nowMs);
            expect(due.every((dueMs) => dueMs <= nowMs)).toBe(true);
            return due;
          });
        const all = [...taken, ...takeAll(loop, Number.POSITIVE_INFINITY)];
        expect(all).toEqual(takeAll(new OpenLoop(0, { perSecond, seconds }), 10_000));
        expect(all).toHaveLength(perSecond * seconds);
      },
    ),
  );
});

test("a rate so low that nothing would be due still asks once", () => {
  const loop = new OpenLoop(0, { perSecond: 0.1, seconds: 1 });
  expect(takeAll(loop, 1_000)).toEqual([0]);
});

test("a closed loop gives whoever asks a request that is due now, until its end", () => {
  const loop = new ClosedLoop(100, 1);
  expect([loop.take(100), loop.take(1_099)]).toEqual([100, 1_099]);
  expect([loop.isOver(1_099), loop.counts(1_099)]).toEqual([false, true]);
  expect([loop.take(1_100), loop.isOver(1_100), loop.counts(1_100)]).toEqual([
    undefined,
    true,
    false,
  ]);
});
