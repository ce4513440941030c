import type { Currency } from "../foundation/currencies.ts";

export const cardTypes = ["Retail", "Corporate", "Lite"] as const;
export type CardType = (typeof cardTypes)[number];

export const cardStatuses = ["Active", "Frozen", "Terminated"] as const;
export type CardStatus = (typeof cardStatuses)[number];

export interface BillingAddress {
  street: string;
  city: string;
  state: string;
  postalCode?: string | undefined;
  /** ISO 3166 alpha-2. */
  country: string;
}

/** What never changes in the life of a card, so that it may be remembered. */
export interface CardFacts {
  cardId: string;
  customerId: string;
  accountId: string;
  type: CardType;
  currency: Currency;
  programmeId: string;
  /** Whether it came to share the account of another card. */
  isGuest: boolean;
}

/** A card as it is stored, without its number. Its money is its account's. */
export interface Card extends CardFacts {
  status: CardStatus;
  brand: string;
  maskedPan: string;
  expiryMonth: number;
  expiryYear: number;
  nameOnCard: string;
  contactlessPayment: boolean;
  dailyLimitMinor: bigint | null;
  transactionLimitMinor: bigint | null;
  whiteListedMccs: string[];
  blackListedMccs: string[];
  billingAddress: BillingAddress | null;
  sharedBalance: boolean;
  swipeCount: number | null;
  metadata: Record<string, string>;
  terminationReason: string | null;
  createdAt: Date;
  terminatedAt: Date | null;
}

/** What decides about purchases with a card. */
export interface CardTerms
  extends Pick<
    Card,
    | "cardId"
    | "accountId"
    | "isGuest"
    | "status"
    | "expiryYear"
    | "expiryMonth"
    | "contactlessPayment"
    | "dailyLimitMinor"
    | "transactionLimitMinor"
    | "whiteListedMccs"
    | "blackListedMccs"
    | "swipeCount"
  > {}

/** What events and purchases of a card count up. */
export interface CardCounters extends Pick<CardFacts, "cardId" | "accountId" | "isGuest"> {
  eventSequence: bigint;
  swipesUsed: number;
  /** What was spent on the last day with spending, a UTC day counted from the epoch. */
  spentDay: number;
  spentMinor: bigint;
  /** Merchants that the card is restricted to; 0: no restriction. */
  whiteListedMids: number;
  /** Merchants that are kept from it. */
  blackListedMids: number;
  /** The day on which a reversal came last whose original had not come yet; 0: none ever did. */
  earlyReversalDay: number;
}

export const newCounters = ({
  cardId,
  accountId,
  isGuest,
}: Pick<CardFacts, "cardId" | "accountId" | "isGuest">): CardCounters => ({
  cardId,
  accountId,
  isGuest,
  eventSequence: 0n,
  swipesUsed: 0,
  spentDay: 0,
  spentMinor: 0n,
  whiteListedMids: 0,
  blackListedMids: 0,
  earlyReversalDay: 0,
});

/** Stored apart from the card, so that nothing shows it by accident. */
export interface CardSecrets {
  cardId: string;
  panSealed: Buffer;
  panHash: Buffer;
  panHashKey: number;
  cvvKey: number;
}
