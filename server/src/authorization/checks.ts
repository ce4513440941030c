import type { CodeName } from "../foundation/codes.ts";
import type { Facts } from "./facts.ts";

/** A check passes with undefined, fails with a code, and says "Skipped" where it does not apply. */
export interface Check {
  name: string;
  run(facts: Facts): CodeName | "Skipped" | undefined;
}

/** The order is the precedence: the first check that fails decides. */
export const checks: readonly Check[] = [
  {
    name: "status",
    run: ({ status }) =>
      status === "Terminated" ? "CARD_CLOSED" : status === "Frozen" ? "RESTRICTED_CARD" : undefined,
  },
  { name: "expired", run: ({ isExpired }) => (isExpired ? "CARD_EXPIRED" : undefined) },
  { name: "expiry", run: ({ expiry }) => shown(expiry, "INVALID_CARD_EXPIRY_DATE") },
  { name: "cvv", run: ({ cvv }) => shown(cvv, "NO_VALID_CVV_VERIFICATION") },
  {
    name: "entryMode",
    run: ({ isContactless, contactlessPayment }) =>
      isContactless && !contactlessPayment ? "TRANSACTION_NOT_PERMITTED" : undefined,
  },
  { name: "merchant", run: merchant },
  { name: "mcc", run: mcc },
  {
    name: "currency",
    run: ({ billingAmountMinor }) =>
      billingAmountMinor === null ? "CURRENCY_NOT_SUPPORTED" : undefined,
  },
  {
    name: "transactionLimit",
    run: ({ transactionLimitMinor, billingAmountMinor }) =>
      within(billingAmountMinor ?? 0n, transactionLimitMinor),
  },
  {
    name: "dailyLimit",
    run: ({ dailyLimitMinor, spentTodayMinor, billingAmountMinor }) =>
      within(spentTodayMinor + (billingAmountMinor ?? 0n), dailyLimitMinor),
  },
  {
    name: "swipes",
    run: ({ swipesLeft }) =>
      swipesLeft === null ? "Skipped" : swipesLeft > 0 ? undefined : "VELOCITY_LIMIT_EXCEEDED",
  },
  {
    name: "balance",
    run: ({ availableMinor, billingAmountMinor }) =>
      availableMinor < (billingAmountMinor ?? 0n) ? "INSUFFICIENT_FUNDS" : undefined,
  },
];

function shown(what: Facts["cvv"], code: CodeName): CodeName | "Skipped" | undefined {
  return what === "Absent" ? "Skipped" : what === "Mismatch" ? code : undefined;
}

/** A whitelist dominates: it alone decides when there is one. */
function merchant(facts: Facts): CodeName | undefined {
  if (facts.hasMidWhitelist) return facts.midWhitelisted ? undefined : "MID_NOT_ALLOWED";
  return facts.midBlacklisted && !facts.midUnblocked ? "MERCHANT_BLACKLISTED" : undefined;
}

function mcc(facts: Facts): CodeName | undefined {
  const isAllowed = facts.hasMccWhitelist ? facts.mccWhitelisted : !facts.mccBlacklisted;
  return isAllowed ? undefined : "MCC_NOT_SUPPORTED";
}

function within(amountMinor: bigint, limitMinor: bigint | null): CodeName | "Skipped" | undefined {
  if (limitMinor === null) return "Skipped";
  return amountMinor > limitMinor ? "TRANSACTION_LIMIT_EXCEEDED" : undefined;
}
