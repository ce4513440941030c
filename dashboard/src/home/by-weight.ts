import type { Home } from "../api/own-types.ts";

interface Amount {
  currency: string;
  balance: number;
}

/** The currency that forms begin with. */
const USUAL = "USD";

/**
 * What is shown first is shown large. Amounts of different currencies cannot be compared, so the rule is
 * simple: those with money in them come first, among these USD, and the rest stay in alphabetical order.
 */
export function byWeight<A extends Amount>(amounts: readonly A[]): A[] {
  const rank = ({ currency, balance }: Amount): number =>
    (balance === 0 ? 2 : 0) + (currency === USUAL ? 0 : 1);
  return amounts.toSorted(
    (one, other) => rank(one) - rank(other) || one.currency.localeCompare(other.currency),
  );
}

/** Those in which something was bought, in the same order. */
export function currenciesOf(
  days: readonly Pick<Home["days"][number], "approvedAmount">[],
): string[] {
  const bought = days.flatMap(({ approvedAmount }) =>
    approvedAmount.map(({ currency, amount }) => ({ currency, balance: amount })),
  );
  return [...new Set(byWeight(bought).map(({ currency }) => currency))];
}
