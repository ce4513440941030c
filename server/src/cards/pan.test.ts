import fc from "fast-check";
import { expect, test } from "vitest";
import { isLuhnValid, luhnDigit, maskPan, newPan } from "./pan.ts";

const digits = (minLength: number, maxLength: number) =>
  fc.array(fc.integer({ min: 0, max: 9 }), { minLength, maxLength }).map((each) => each.join(""));
const bins = digits(6, 8);
const lengths = fc.integer({ min: 16, max: 19 });

test.each([
  ["7992739871", "3"],
  ["411111111111111", "1"],
  ["555555555555444", "4"],
  ["37828224631000", "5"],
  ["506099058000021749", "9"],
  ["0", "0"],
])("the Luhn digit of %s is %s", (payload, digit) => {
  expect(luhnDigit(payload)).toBe(digit);
  expect(isLuhnValid(payload + digit)).toBe(true);
});

test.each(["4111111111111112", "79927398710", "", "0", "41111111a1111111", " 4111111111111111"])(
  "%j has no right check digit",
  (text) => {
    expect(isLuhnValid(text)).toBe(false);
  },
);

test("one wrong digit never passes", () => {
  fc.assert(
    fc.property(digits(1, 18), fc.nat(18), fc.integer({ min: 1, max: 9 }), (payload, at, by) => {
      const right = payload + luhnDigit(payload);
      const place = at % right.length;
      const other = (Number(right[place]) + by) % 10;
      expect(isLuhnValid(right.slice(0, place) + other + right.slice(place + 1))).toBe(false);
    }),
  );
});

test("a card number begins with its BIN, has its length and a right check digit", () => {
  fc.assert(
    fc.property(bins, lengths, (bin, length) => {
      const pan = newPan(bin, length);
      expect(pan).toMatch(/^\d+$/);
      expect(pan).toHaveLength(length);
      expect(pan.startsWith(bin)).toBe(true);
      expect(isLuhnValid(pan)).toBe(true);
    }),
  );
  expect(newPan("411111")).toHaveLength(16);
  expect(newPan("41111111")).toHaveLength(16);
});

test("every account number there is can be drawn, and each makes a card number of its own", () => {
  fc.assert(
    fc.property(bins, lengths, fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), run),
  );
  function run(bin: string, length: number, share: number) {
    const asked: number[] = [];
    let drawn = 0;
    const pan = newPan(bin, length, (below) => {
      asked.push(below);
      drawn = Math.floor(share * below);
      return drawn;
    });
    expect(asked).toEqual([10 ** (length - bin.length - 1)]);
    expect(Number(pan.slice(bin.length, -1))).toBe(drawn);
  }
});

test.each([
  [0, "4111110000000005"],
  [1, "4111110000000013"],
  [999_999_999, "4111119999999994"],
])("account number %i makes %s", (account, pan) => {
  expect(newPan("411111", 16, () => account)).toBe(pan);
});

test("every digit turns up at every place of the account number", () => {
  // A fair source misses one of the 90 with a chance below 10^-200.
  const pans = Array.from({ length: 5000 }, () => newPan("411111"));
  for (let place = 6; place < 15; place++) {
    expect(new Set(pans.map((pan) => pan[place])).size).toBe(10);
  }
});

test.each([
  ["41111", 16],
  ["411111111", 16],
  ["4111x1", 16],
  ["411111", 15],
  ["411111", 20],
  ["411111", 16.5],
])("refuses BIN %s with length %d", (bin, length) => {
  expect(() => newPan(bin, length)).toThrow(RangeError);
});

test.each([
  ["4111111111111234", "411111******1234"],
  ["5060990580000217499", "506099*********7499"],
  ["4222222222222", "422222***2222"],
])("%s is shown as %s", (pan, masked) => {
  expect(maskPan(pan)).toBe(masked);
});

test.each(["", "4111", "411111111111", "4111-1111-1111-1111"])(
  "%j is not shown in part but refused, and not repeated",
  (text) => {
    expect(() => maskPan(text)).toThrow(/^A card number has 13 to 19 digits$/);
  },
);
