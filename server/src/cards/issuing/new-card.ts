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

/** What is made up when a card is made: the rest follows from its order. */
export interface CardMaking {
  cardId: string;
  accountId: string;
  maskedPan: string;
  sharedBalance: boolean;
  now: Date;
}

export function newCard(order: CardOrder, making: CardMaking): Card {
  const { programme, settings, ...ordered } = order;
  const { now, ...made } = making;
  return {
    ...ordered,
    ...settings,
    ...made,
    ...expiryOf(now, programme.expiryYears),
    programmeId: programme.programmeId,
    currency: programme.currency,
    brand: programme.brand,
    status: "Active",
    terminationReason: null,
    createdAt: now,
    terminatedAt: null,
  };
}

/** A card is good until the end of the month it was made in, so many years later. */
function expiryOf(now: Date, years: number): Pick<Card, "expiryMonth" | "expiryYear"> {
  return { expiryMonth: now.getUTCMonth() + 1, expiryYear: now.getUTCFullYear() + years };
}
