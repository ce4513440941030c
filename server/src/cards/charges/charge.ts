import type { Currency } from "../../foundation/currencies.ts";

/** How many charges one step may collect; who has more to pay takes several. */
export const MAX_COLLECTED = 200;
/** How many pending charges are looked at, the oldest. */
export const MAX_TRIED = 10_000;

/** What a purchase abroad costs on top. Owed until it is collected, whole. */
export interface Charge {
  chargeId: string;
  cardId: string;
  /** Who pays it: the account that paid for the purchase. */
  accountId: string;
  /** The purchase. */
  transactionId: string;
  amountMinor: bigint;
  currency: Currency;
  status: "Pending" | "Collected";
  createdAt: Date;
  collectedAt: Date | null;
}
