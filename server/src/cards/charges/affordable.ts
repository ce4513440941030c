import type { Charge } from "./charge.ts";

/**
 * Which charges can be paid now, in the order given, each whole or not at all, and no more than so many. One
 * that is too large stays, and does not keep a smaller one behind it from being paid.
 */
export function affordable(
  charges: readonly Charge[],
  availableMinor: ReadonlyMap<string, bigint>,
  most: number,
): { paid: Charge[]; left: Charge[]; hasMore: boolean } {
  const remaining = new Map(availableMinor);
  const paid: Charge[] = [];
  const left: Charge[] = [];
  let hasMore = false;
  for (const charge of charges) {
    const restMinor = (remaining.get(charge.accountId) ?? 0n) - charge.amountMinor;
    const isAffordable = restMinor >= 0n;
    if (isAffordable && paid.length < most) {
      remaining.set(charge.accountId, restMinor);
      paid.push(charge);
    } else {
      left.push(charge);
      hasMore ||= isAffordable;
    }
  }
  return { paid, left, hasMore };
}
