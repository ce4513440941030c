import fc from "fast-check";
import { expect, test } from "vitest";
import { TokenBuckets } from "./token-bucket.ts";

function buckets(options: { ratePerS: number; burst: number; maxKeys?: number }, startMs = 0) {
  const clock = { nowMs: startMs };
  const made = new TokenBuckets({ maxKeys: 1000, ...options, nowMs: () => clock.nowMs });
  const takeMany = (key: string, count: number) =>
    Array.from({ length: count }, () => made.take(key)).filter(({ ok }) => ok).length;
  return { clock, made, takeMany };
}

test.each([
  [1, 1],
  [3, 10],
  [7, 7],
  [100, 200],
  [0.1, 3],
])(
  "at %d per second and a burst of %d, a full bucket gives its burst and no more",
  (rate, burst) => {
    for (const startMs of [0, 123_456.789, 1e9 + 1 / 3]) {
      const { made, takeMany } = buckets({ ratePerS: rate, burst }, startMs);
      expect(takeMany("a", burst)).toBe(burst);
      expect(made.take("a").ok).toBe(false);
    }
  },
);

test("a bucket fills again at its rate, and not beyond its burst", () => {
  const { clock, takeMany } = buckets({ ratePerS: 10, burst: 5 });
  takeMany("a", 5);
  clock.nowMs = 99;
  expect(takeMany("a", 5)).toBe(0);
  clock.nowMs = 300;
  expect(takeMany("a", 5)).toBe(3);
  clock.nowMs = 3_600_000;
  expect(takeMany("a", 100)).toBe(5);
});

test("a dearer take empties more, and one beyond the burst never succeeds", () => {
  const { clock, made } = buckets({ ratePerS: 1, burst: 10 });
  expect(made.take("a", 6)).toEqual({ ok: true });
  expect(made.take("a", 6)).toEqual({ ok: false, retryAfterS: 2 });
  expect(made.take("a", 4)).toEqual({ ok: true });
  clock.nowMs = 1_000_000;
  expect(made.take("a", 11).ok).toBe(false);
});

test("a refused take takes nothing, and keys do not share", () => {
  const { clock, made, takeMany } = buckets({ ratePerS: 1, burst: 1 });
  expect(takeMany("a", 50)).toBe(1);
  expect(takeMany("b", 50)).toBe(1);
  clock.nowMs = 1000;
  expect(made.take("a").ok).toBe(true);
});

test("peek says what take would, and takes nothing", () => {
  const { made, takeMany } = buckets({ ratePerS: 1, burst: 2 });
  expect(Array.from({ length: 9 }, () => made.peek("a"))).toEqual(Array(9).fill({ ok: true }));
  expect(made.size).toBe(0);
  expect(takeMany("a", 9)).toBe(2);
  expect(made.peek("a")).toEqual({ ok: false, retryAfterS: 1 });
  expect(made.peek("a")).toEqual(made.take("a"));
});

test("rate 0 limits nothing and remembers nothing", () => {
  const { made, takeMany } = buckets({ ratePerS: 0, burst: 0 });
  expect(takeMany("a", 1000)).toBe(1000);
  expect(made.peek("a")).toEqual({ ok: true });
  expect(made.size).toBe(0);
});

test("whoever waits as told is let in", () => {
  fc.assert(
    fc.property(rates, fc.integer({ min: 1, max: 50 }), fc.nat(1e6), (ratePerS, burst, startMs) => {
      const { clock, made, takeMany } = buckets({ ratePerS, burst }, startMs / 7);
      takeMany("a", burst);
      const refused = made.take("a");
      if (refused.ok) throw new Error("The bucket gave more than its burst");
      expect(Number.isInteger(refused.retryAfterS) && refused.retryAfterS >= 1).toBe(true);
      clock.nowMs += refused.retryAfterS * 1000;
      expect(made.take("a").ok).toBe(true);
    }),
  );
});

const rates = fc.double({ min: 0.01, max: 1000, noNaN: true });

test("no window sees more than burst + rate × time", () => {
  const steps = fc.array(
    fc.record({
      waitMs: fc.oneof(fc.constant(0), fc.double({ min: 0, max: 500, noNaN: true })),
      cost: fc.integer({ min: 1, max: 3 }),
    }),
    { minLength: 1, maxLength: 120 },
  );
  fc.assert(
    fc.property(rates, fc.integer({ min: 1, max: 20 }), steps, (ratePerS, burst, taken) => {
      const { clock, made } = buckets({ ratePerS, burst }, 1234.5);
      const granted: { atMs: number; cost: number }[] = [];
      for (const { waitMs, cost } of taken) {
        clock.nowMs += waitMs;
        if (made.take("a", cost).ok) granted.push({ atMs: clock.nowMs, cost });
      }
      for (const [first, { atMs: fromMs }] of granted.entries()) {
        let sum = 0;
        for (const { atMs, cost } of granted.slice(first)) {
          sum += cost;
          expect(sum).toBeLessThanOrEqual(burst + (ratePerS * (atMs - fromMs)) / 1000 + 0.01);
        }
      }
    }),
  );
});

test("there are never more keys than allowed", () => {
  fc.assert(
    fc.property(
      fc.array(fc.nat(60), { maxLength: 300 }),
      fc.integer({ min: 1, max: 20 }),
      (keys, max) => {
        const { clock, made } = buckets({ ratePerS: 10, burst: 3, maxKeys: max });
        for (const key of keys) {
          clock.nowMs += 5;
          made.take(String(key));
          expect(made.size).toBeLessThanOrEqual(max);
        }
      },
    ),
  );
});

test("full buckets are forgotten before any other", () => {
  const { clock, made, takeMany } = buckets({ ratePerS: 1, burst: 100, maxKeys: 10 });
  for (let i = 0; i < 5; i++) made.take(`old ${i}`);
  clock.nowMs = 2000;
  takeMany("busy", 100);
  for (let i = 0; i < 7; i++) made.take(`new ${i}`);
  expect(made.size).toBe(8);
  expect(made.peek("busy").ok).toBe(false);
});

test("a flood of new keys does not push out the one that is limited", () => {
  const { made, takeMany } = buckets({ ratePerS: 1, burst: 5, maxKeys: 20 });
  takeMany("limited", 5);
  for (let i = 0; i < 1000; i++) made.take(`flood ${i}`);
  expect(made.size).toBe(20);
  expect(made.peek("limited").ok).toBe(false);
});
