import fc from "fast-check";
import { expect, test } from "vitest";
import { firstId, idPattern, isId, newId, timeOf } from "./ids.ts";

const times = fc.integer({ min: 0, max: 2 ** 48 - 1 });

test("an id holds its time in the first ten characters, most significant first", () => {
  const alphabet = "0123456789abcdefghjkmnpqrstvwxyz";
  fc.assert(
    fc.property(times, (atMs) => {
      let readMs = 0;
      for (const character of newId("txn", atMs).slice(4, 14)) {
        readMs = readMs * 32 + alphabet.indexOf(character);
      }
      expect(readMs).toBe(atMs);
    }),
  );
});

test("every id has its own shape and no other kind's", () => {
  fc.assert(
    fc.property(times, (atMs) => {
      const id = newId("card", atMs);
      expect(id).toMatch(/^card_[0-9a-z]{26}$/);
      expect(isId("card", id)).toBe(true);
      expect(isId("cus", id)).toBe(false);
    }),
  );
});

test("ids of different milliseconds sort by time", () => {
  fc.assert(
    fc.property(fc.uniqueArray(times, { minLength: 2, maxLength: 20 }), (moments) => {
      const inOrder = [...moments].sort((a, b) => a - b).map((atMs) => newId("evt", atMs));
      expect([...inOrder].sort()).toEqual(inOrder);
    }),
  );
});

test("the first id of a moment parts what was made before it from what was not", () => {
  fc.assert(
    fc.property(times, times, (atMs, momentMs) => {
      const first = firstId("cus", momentMs);
      expect(isId("cus", first)).toBe(true);
      expect(newId("cus", atMs) >= first).toBe(atMs >= momentMs);
    }),
  );
});

test.each([-1, -1e15, 2 ** 48, 1e17])(
  "the moment %d, which ids cannot hold, is the nearest that they can",
  (atMs) => {
    expect(firstId("cus", atMs)).toBe(firstId("cus", atMs < 0 ? 0 : 2 ** 48 - 1));
  },
);

test("no random part repeats over several refills of the pool, and every character occurs", () => {
  const tails = Array.from({ length: 5000 }, () => newId("evt", 1).slice(14));
  expect(new Set(tails).size).toBe(tails.length);
  for (let position = 0; position < 16; position += 1) {
    expect(new Set(tails.map((tail) => tail[position])).size).toBe(32);
  }
});

const good = "card_01hzy5n8v7qj3t4w6x9abcdefg";

test.each([
  [good, true],
  ["card_7zzzzzzzzzzzzzzzzzzzzzzzzz", true],
  // Never made, as it has more than 128 bits, and yet well-formed.
  ["card_zzzzzzzzzzzzzzzzzzzzzzzzzz", true],
  [good.toUpperCase(), false],
  [good.slice(0, -1), false],
  [`${good}0`, false],
  [`${good}\n`, false],
  [` ${good}`, false],
  [good.replace("q", "i"), false],
  [good.replace("q", "l"), false],
  [good.replace("q", "o"), false],
  [good.replace("q", "u"), false],
  [good.replace("_", "-"), false],
  [good.replace("card", "txn"), false],
  ["", false],
])("%j is a card id: %s", (text, expected) => {
  expect(isId("card", text)).toBe(expected);
  expect(idPattern("card").test(text)).toBe(expected);
});

test.each([0, 1, 1023, 1024, Date.UTC(2026, 5, 7, 8, 9, 10, 11), 2 ** 48 - 1])(
  "an id tells that it was made at %i",
  (atMs) => {
    expect(timeOf(newId("card", atMs)).getTime()).toBe(atMs);
  },
);

test.each(["", "txn_1", "txn_01hzy5n8vu0000000000000000"])("%j has no time", (text) => {
  expect(() => timeOf(text)).toThrow(RangeError);
});

test.each([-1, 1.5, Number.NaN, 2 ** 48, Number.POSITIVE_INFINITY])(
  "%d is no time for an id",
  (atMs) => {
    expect(() => newId("req", atMs)).toThrow(RangeError);
  },
);
