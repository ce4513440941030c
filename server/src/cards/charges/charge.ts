import type { Currency } from "../../foundation/currencies.ts";

/** How many pending charges are looked at, the oldest. */
export const MAX_TRIED = 1_000;
/** How many of them one step may collect; a card that can pay for more takes several steps. */
export const MAX_COLLECTED = 200;

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
