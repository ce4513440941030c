import type { CardCounters } from "../cards/card.ts";

const DAY_MS = 86_400_000;

/** The UTC day, counted from the epoch. */
export const dayOf = (moment: Date): number => Math.floor(moment.getTime() / DAY_MS);

/**
 * The day that is spent on now. Clocks of several processes differ a little: a day that one of them has
 * begun is not begun again by another that is still before midnight.
 */
const currentDay = ({ spentDay }: CardCounters, now: Date): number =>
  Math.max(spentDay, dayOf(now));

export function spentTodayMinor(counters: CardCounters, now: Date): bigint {
  return counters.spentDay === currentDay(counters, now) ? counters.spentMinor : 0n;
}

export function spentWith(counters: CardCounters, amountMinor: bigint, now: Date): CardCounters {
  return {
    ...counters,
    spentDay: currentDay(counters, now),
    spentMinor: spentTodayMinor(counters, now) + amountMinor,
  };
}

/** Corrects what was spent on the day of approval, if that is still the last day with spending. */
export function respent(
  counters: CardCounters,
  approvedAt: Date,
  deltaMinor: bigint,
): CardCounters {
  if (counters.spentDay !== dayOf(approvedAt)) return counters;
  return { ...counters, spentMinor: counters.spentMinor + deltaMinor };
}
