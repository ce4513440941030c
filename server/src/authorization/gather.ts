import type { CardCounters, CardTerms } from "../cards/card.ts";
import { merchantKey, merchantOfCard } from "../cards/merchant-table.ts";
import type { View } from "../engine/view.ts";
import { type Account, availableMinor } from "../ledger/accounts.ts";
import { hasLists } from "./expectations.ts";
import type { Facts, Shown } from "./facts.ts";
import type { Purchase } from "./purchase.ts";
import { spentTodayMinor } from "./spending.ts";

/** Boils the loaded rows down to what the checks ask about. */
export function factsOf(
  view: View,
  purchase: Purchase,
  { terms, counters, account }: { terms: CardTerms; counters: CardCounters; account: Account },
  now: Date,
): Facts {
  const { merchant, entryMode } = purchase;
  const listed = hasLists(counters)
    ? view.rows(merchantOfCard, merchantKey(terms.cardId, merchant.mid))
    : [];
  const black = listed.find(({ list }) => list === "Black");
  return {
    status: terms.status,
    isExpired: isExpired(terms, now),
    expiry: expiryShown(terms, purchase),
    cvv: purchase.cvv,
    isContactless: entryMode === "Contactless" || entryMode === "DeviceWallet",
    contactlessPayment: terms.contactlessPayment,
    hasMidWhitelist: counters.whiteListedMids > 0,
    midWhitelisted: listed.some(({ list }) => list === "White"),
    midBlacklisted: black !== undefined,
    midUnblocked: black?.unblocked === true,
    hasMccWhitelist: terms.whiteListedMccs.length > 0,
    mccWhitelisted: terms.whiteListedMccs.includes(merchant.mcc),
    mccBlacklisted: terms.blackListedMccs.includes(merchant.mcc),
    billingAmountMinor: purchase.billing?.amountMinor ?? null,
    transactionLimitMinor: terms.transactionLimitMinor,
    dailyLimitMinor: terms.dailyLimitMinor,
    spentTodayMinor: spentTodayMinor(counters, now),
    swipesLeft: terms.swipeCount === null ? null : terms.swipeCount - counters.swipesUsed,
    availableMinor: availableMinor(account),
  };
}

/** A card is good until the end of its last month. */
export function isExpired(
  { expiryYear, expiryMonth }: Pick<CardTerms, "expiryYear" | "expiryMonth">,
  now: Date,
): boolean {
  const year = now.getUTCFullYear();
  return year > expiryYear || (year === expiryYear && now.getUTCMonth() + 1 > expiryMonth);
}

/** Whatever part of the expiry was shown must be right. */
function expiryShown(terms: CardTerms, { expiry: { month, year } = {} }: Purchase): Shown {
  if (month === undefined && year === undefined) return "Absent";
  const isSame =
    (month ?? terms.expiryMonth) === terms.expiryMonth &&
    (year ?? terms.expiryYear) === terms.expiryYear;
  return isSame ? "Match" : "Mismatch";
}
