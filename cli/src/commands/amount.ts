import type { Session } from "../session.ts";
import { readAmount } from "../terminal/money.ts";

/** A currency with as many decimals as any: what is no amount in it is none at all. */
const MOST_DECIMALS = "CLF";

/** The amount, checked by its currency: the one that was named, or the card's. */
export async function moneyFor(
  { florin }: Session,
  cardId: string,
  text: string,
  named?: string,
): Promise<{ amount: number; currency: string }> {
  // Before the service is asked anything.
  readAmount(text, MOST_DECIMALS);
  const currency = named ?? (await florin.cards.get(cardId)).currency;
  return { amount: readAmount(text, currency), currency };
}
