import type { CardStatus } from "../cards/card.ts";

/** Whether something the cardholder showed is what we have on record. */
export type Shown = "Absent" | "Match" | "Mismatch";

/** All that a decision depends on, boiled down: never lists, only what they say about this purchase. */
export interface Facts {
  status: CardStatus;
  isExpired: boolean;
  expiry: Shown;
  cvv: Shown;
  /** The card was held to a reader or lives in a phone. */
  isContactless: boolean;
  contactlessPayment: boolean;
  hasMidWhitelist: boolean;
  midWhitelisted: boolean;
  midBlacklisted: boolean;
  /** A one-time unblock waits for this merchant. */
  midUnblocked: boolean;
  hasMccWhitelist: boolean;
  mccWhitelisted: boolean;
  mccBlacklisted: boolean;
  /** Null: the programme has no rate for the currency. */
  billingAmountMinor: bigint | null;
  transactionLimitMinor: bigint | null;
  dailyLimitMinor: bigint | null;
  spentTodayMinor: bigint;
  /** Null: not a lite card. */
  swipesLeft: number | null;
  availableMinor: bigint;
}
