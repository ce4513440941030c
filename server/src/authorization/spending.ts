import type { CardCounters } from "../cards/card.ts";
import { DAY_MS } from "../foundation/dates.ts";

/** The UTC day, counted from the epoch. */
export const dayOf = (moment: Date): number => Math.floor(moment.getTime() / DAY_MS);

/**
 * The time of what a card may spend now. Clocks of several processes differ a little: a day that one of them has begun is
 * not begun again by another that is still before midnight. What that one decides is counted for the new day, and says so
 * by its time, so that it is taken back from that day.
 */
export function spendingTime({ spentDay }: CardCounters, now: Date): Date {
  return dayOf(now) >= spentDay ? now : new Date(spentDay * DAY_MS);
}

export function spentTodayMinor(counters: CardCounters, now: Date): bigint {
  return counters.spentDay === dayOf(spendingTime(counters, now)) ? counters.spentMinor : 0n;
}

export function spentWith(counters: CardCounters, amountMinor: bigint, now: Date): CardCounters {
  return {
    ...counters,
    spentDay: dayOf(spendingTime(counters, now)),
    spentMinor: spentTodayMinor(counters, now) + amountMinor,
  };
}

/** Corrects what was spent on the day of approval, unless a later day has begun since. */
export function respent(
  counters: CardCounters,
  approvedAt: Date,
  deltaMinor: bigint,
): CardCounters {
  const day = dayOf(approvedAt);
  if (counters.spentDay > day) return counters;
  // An approval of nothing begins no day, but what is settled on it is spent.
  const spentMinor = counters.spentDay === day ? counters.spentMinor : 0n;
  return { ...counters, spentDay: day, spentMinor: spentMinor + deltaMinor };
}
