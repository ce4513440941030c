import type { Currency } from "../../foundation/currencies.ts";

/** How many pending charges are tried in one go, the oldest; a card with more is called again. */
export const MAX_TRIED = 200;

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
