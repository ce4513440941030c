import { expect, test } from "vitest";
import { newCounters } from "../cards/card.ts";
import { dayOf, respent, spendingTime, spentTodayMinor, spentWith } from "./spending.ts";

const EVENING = new Date("2026-03-01T23:59:59.999Z");
const MIDNIGHT = new Date("2026-03-02T00:00:00.000Z");
const fresh = newCounters({ cardId: "card_1", accountId: "acc_1", isGuest: false });

test("what was spent counts until the end of its UTC day", () => {
  const spent = spentWith(spentWith(fresh, 30n, EVENING), 12n, EVENING);
  expect(spentTodayMinor(spent, EVENING)).toBe(42n);
  expect(spentTodayMinor(spent, MIDNIGHT)).toBe(0n);
  expect(spentWith(spent, 5n, MIDNIGHT)).toMatchObject({
    spentDay: dayOf(MIDNIGHT),
    spentMinor: 5n,
  });
});

test("a process that is still before midnight does not begin the old day anew", () => {
  const afterMidnight = new Date(MIDNIGHT.getTime() + 50);
  const tomorrow = spentWith(fresh, 30n, afterMidnight);
  expect(spendingTime(fresh, EVENING)).toBe(EVENING);
  expect(spendingTime(tomorrow, afterMidnight)).toBe(afterMidnight);
  expect(spendingTime(tomorrow, EVENING)).toEqual(MIDNIGHT);
  expect(spentTodayMinor(tomorrow, EVENING)).toBe(30n);
  const both = spentWith(tomorrow, 12n, EVENING);
  expect(both).toMatchObject({ spentDay: dayOf(MIDNIGHT), spentMinor: 42n });
  expect(respent(both, spendingTime(tomorrow, EVENING), -12n)).toEqual(tomorrow);
});

test("what becomes of a purchase changes the day of its approval only", () => {
  const spent = spentWith(fresh, 30n, EVENING);
  expect(respent(spent, EVENING, -20n).spentMinor).toBe(10n);
  expect(respent(spentWith(spent, 5n, MIDNIGHT), EVENING, -20n).spentMinor).toBe(5n);
});

test("what is settled on an approval of nothing is spent on the day of that approval", () => {
  const spent = spentWith(fresh, 30n, EVENING);
  const settled = respent(spent, MIDNIGHT, 12n);
  expect(settled).toMatchObject({ spentDay: dayOf(MIDNIGHT), spentMinor: 12n });
  expect(respent(settled, MIDNIGHT, 3n).spentMinor).toBe(15n);
});
