import type { Programme } from "../../programmes/programmes.ts";
import type { BillingAddress, Card, CardType } from "../card.ts";
import type { Settings } from "../settings/change-settings.ts";

/** A card that is to be made, before it has a number. */
export interface CardOrder {
  customerId: string;
  type: CardType;
  programme: Programme;
  nameOnCard: string;
  billingAddress: BillingAddress | null;
  settings: Settings;
  /** Lite cards only. */
  swipeCount: number | null;
}

/** What is generated for a new card; the rest follows from its order. */
export interface CardMaking {
  cardId: string;
  accountId: string;
  maskedPan: string;
  /** Whether it comes to share another card's account. */
  isGuest: boolean;
  now: Date;
}

export function newCard(order: CardOrder, making: CardMaking): Card {
  const { programme, settings } = order;
  const { now } = making;
  return {
    cardId: making.cardId,
    customerId: order.customerId,
    accountId: making.accountId,
    type: order.type,
    status: "Active",
    programmeId: programme.programmeId,
    currency: programme.currency,
    brand: programme.brand,
    maskedPan: making.maskedPan,
    // It is good until the end of the month it was made in, so many years later.
    expiryMonth: now.getUTCMonth() + 1,
    expiryYear: now.getUTCFullYear() + programme.expiryYears,
    nameOnCard: order.nameOnCard,
    contactlessPayment: settings.contactlessPayment,
    dailyLimitMinor: settings.dailyLimitMinor,
    transactionLimitMinor: settings.transactionLimitMinor,
    whiteListedMccs: settings.whiteListedMccs,
    blackListedMccs: settings.blackListedMccs,
    billingAddress: order.billingAddress,
    sharedBalance: making.isGuest,
    isGuest: making.isGuest,
    swipeCount: order.swipeCount,
    metadata: settings.metadata,
    terminationReason: null,
    createdAt: now,
    terminatedAt: null,
  };
}
