import { formatAmount } from "../foundation/money.ts";
import type { BillingAddress, Card, CardCounters } from "./card.ts";
import { type MerchantLists, NO_MERCHANTS } from "./merchant-table.ts";

export type DescribedCard = ReturnType<typeof describeCard>;

/** What the card's account has, as far as a card shows it. */
export interface CardMoney {
  postedMinor: bigint;
  heldMinor: bigint;
}

/** A card as clients see it, in answers and in events; never its number. */
export function describeCard(
  card: Card,
  { postedMinor, heldMinor }: CardMoney,
  { swipesUsed }: Pick<CardCounters, "swipesUsed">,
  { merchantWhitelist, merchantBlacklist }: MerchantLists = NO_MERCHANTS,
) {
  const inCurrency = (minor: bigint): number => formatAmount(minor, card.currency);
  const { swipeCount, terminationReason, terminatedAt } = card;
  return {
    cardId: card.cardId,
    customerId: card.customerId,
    type: card.type,
    status: card.status,
    currency: card.currency,
    brand: card.brand,
    maskedPan: card.maskedPan,
    expiryMonth: card.expiryMonth,
    expiryYear: card.expiryYear,
    nameOnCard: card.nameOnCard,
    balance: inCurrency(postedMinor),
    availableBalance: inCurrency(postedMinor - heldMinor),
    heldAmount: inCurrency(heldMinor),
    contactlessPayment: card.contactlessPayment,
    cardLimits: describeLimits(card, inCurrency),
    whiteListedMccs: card.whiteListedMccs,
    blackListedMccs: card.blackListedMccs,
    merchantWhitelist,
    merchantBlacklist,
    billingAddress: card.billingAddress && describeAddress(card.billingAddress),
    sharedBalance: card.sharedBalance,
    ...(swipeCount === null ? {} : { swipeCount, swipesUsed }),
    metadata: card.metadata,
    ...(terminationReason === null ? {} : { terminationReason }),
    createdAt: card.createdAt.toISOString(),
    ...(terminatedAt === null ? {} : { terminatedAt: terminatedAt.toISOString() }),
  };
}

function describeLimits(
  { dailyLimitMinor, transactionLimitMinor }: Card,
  inCurrency: (minor: bigint) => number,
): { dailyLimit?: number; transactionLimit?: number } {
  return {
    ...(dailyLimitMinor === null ? {} : { dailyLimit: inCurrency(dailyLimitMinor) }),
    ...(transactionLimitMinor === null
      ? {}
      : { transactionLimit: inCurrency(transactionLimitMinor) }),
  };
}

/** The database does not keep the order of an address's fields, so it is restored here. */
function describeAddress({ street, city, state, postalCode, country }: BillingAddress) {
  return { street, city, state, ...(postalCode === undefined ? {} : { postalCode }), country };
}
