import type { CardCounters } from "../cards/card.ts";
import { DAY_MS } from "../foundation/dates.ts";

/** The UTC day, counted from the epoch. */
export const dayOf = (moment: Date): number => Math.floor(moment.getTime() / DAY_MS);

/**
 * When something is decided that a card may spend. Clocks of several processes differ a little: a day that one of them
 * has begun is not begun again by another that is still before midnight, and what that one decides is of the new day, so
 * that it is taken back from the day that it was counted to.
 */
export function spendingTime({ spentDay }: CardCounters, now: Date): Date {
  return dayOf(now) >= spentDay ? now : new Date(spentDay * DAY_MS);
}

/** `at` is a spending time of the card. */
export function spentTodayMinor(counters: CardCounters, at: Date): bigint {
  return counters.spentDay === dayOf(at) ? counters.spentMinor : 0n;
}

/** `at` is a spending time of the card. */
export function spentWith(counters: CardCounters, amountMinor: bigint, at: Date): CardCounters {
  return {
    ...counters,
    spentDay: dayOf(at),
    spentMinor: spentTodayMinor(counters, at) + amountMinor,
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
