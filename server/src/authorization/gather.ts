import type { Card, CardCounters } from "../cards/card.ts";
import { merchantKey, merchantOfCard } from "../cards/merchant-table.ts";
import type { View } from "../engine/view.ts";
import { type Account, availableMinor } from "../ledger/accounts.ts";
import type { Facts, Shown } from "./facts.ts";
import type { Purchase } from "./purchase.ts";
import { spentTodayMinor } from "./spending.ts";

/** Boils the loaded rows down to what the checks ask about. */
export function factsOf(
  view: View,
  purchase: Purchase,
  { card, counters, account }: { card: Card; counters: CardCounters; account: Account },
  now: Date,
): Facts {
  const { merchant, entryMode } = purchase;
  const listed = view.rows(merchantOfCard, merchantKey(card.cardId, merchant.mid));
  const black = listed.find(({ list }) => list === "Black");
  return {
    status: card.status,
    isExpired: isExpired(card, now),
    expiry: expiryShown(card, purchase),
    cvv: purchase.cvv,
    isContactless: entryMode === "Contactless" || entryMode === "DeviceWallet",
    contactlessPayment: card.contactlessPayment,
    hasMidWhitelist: counters.whiteListedMids > 0,
    midWhitelisted: listed.some(({ list }) => list === "White"),
    midBlacklisted: black !== undefined,
    midUnblocked: black?.unblocked === true,
    hasMccWhitelist: card.whiteListedMccs.length > 0,
    mccWhitelisted: card.whiteListedMccs.includes(merchant.mcc),
    mccBlacklisted: card.blackListedMccs.includes(merchant.mcc),
    billingAmountMinor: purchase.billing?.amountMinor ?? null,
    transactionLimitMinor: card.transactionLimitMinor,
    dailyLimitMinor: card.dailyLimitMinor,
    spentTodayMinor: spentTodayMinor(counters, now),
    swipesLeft: card.swipeCount === null ? null : card.swipeCount - counters.swipesUsed,
    availableMinor: availableMinor(account),
  };
}

/** A card is good until the end of its last month. */
export function isExpired(
  { expiryYear, expiryMonth }: Pick<Card, "expiryYear" | "expiryMonth">,
  now: Date,
): boolean {
  const year = now.getUTCFullYear();
  return year > expiryYear || (year === expiryYear && now.getUTCMonth() + 1 > expiryMonth);
}

/** Whatever part of the expiry was shown must be right. */
function expiryShown(card: Card, { expiry: { month, year } = {} }: Purchase): Shown {
  if (month === undefined && year === undefined) return "Absent";
  const isSame =
    (month ?? card.expiryMonth) === card.expiryMonth &&
    (year ?? card.expiryYear) === card.expiryYear;
  return isSame ? "Match" : "Mismatch";
}
