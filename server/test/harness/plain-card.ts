import type { Card } from "../../src/cards/card.ts";

/** What a card is unless somebody wants it otherwise. */
export const PLAIN_CARD = {
  type: "Retail",
  status: "Active",
  programmeId: "usd-us",
  isGuest: false,
  currency: "USD",
  brand: "Visa",
  maskedPan: "411111******1111",
  expiryMonth: 12,
  expiryYear: 2099,
  nameOnCard: "ADA OBI",
  contactlessPayment: false,
  dailyLimitMinor: null,
  transactionLimitMinor: null,
  whiteListedMccs: [],
  blackListedMccs: [],
  billingAddress: null,
  sharedBalance: false,
  swipeCount: null,
  metadata: {},
  terminationReason: null,
  terminatedAt: null,
} as const satisfies Partial<Card>;
