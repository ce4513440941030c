import type { Transaction } from "@florin/sdk";

/** What each check looks at, in plain words. */
const CHECKS: Record<string, string> = {
  card: "The card is known",
  status: "The card is active",
  expired: "The card has not expired",
  expiry: "The expiry date that was entered is right",
  cvv: "The CVV that was entered is right",
  entryMode: "The card may be used this way",
  merchant: "The merchant is allowed",
  mcc: "The merchant's category is allowed",
  currency: "The currency can be converted",
  transactionLimit: "Within the limit per transaction",
  dailyLimit: "Within the limit per day",
  swipes: "Swipes are left",
  balance: "Enough money is available",
  remote: "Your endpoint approves",
};

export const sayCheck = (check: string): string => CHECKS[check] ?? check;

interface Explanation {
  why: string;
  what: string;
}

const BY_CODE: Record<string, Explanation> = {
  "116": {
    why: "The available balance was smaller than the amount.",
    what: "Top up the card, then let the cardholder try again. Money held for other purchases is not available.",
  },
  "119": {
    why: "The card may not be used this way: contactless and device wallets are turned off for it.",
    what: "Allow contactless payments in the card's controls.",
  },
  "121": {
    why: "There is no exchange rate from the purchase's currency to the card's.",
    what: "The operator can add a rate to the programme.",
  },
  "124": {
    why: "The expiry date that was entered is not the card's.",
    what: "The cardholder should check the date and try again.",
  },
  "125": {
    why: "The card is restricted to certain merchants, and this one is not among them.",
    what: "Add the merchant to the card's list, or remove the restriction.",
  },
  "127": {
    why: "The merchant's category is not allowed on this card.",
    what: "Change the card's category lists if this purchase should be possible.",
  },
  "129": {
    why: "The amount is above a spending limit of the card.",
    what: "Raise the limit in the card's controls. The daily limit starts anew at midnight UTC.",
  },
  "130": {
    why: "All swipes of this Lite card are used.",
    what: "Issue a new card: a Lite card cannot be filled up again.",
  },
  "141": {
    why: "The card was frozen.",
    what: "Unfreeze it if the cardholder should be able to pay again.",
  },
  "142": { why: "The card has expired.", what: "Re-issue it for the customer." },
  "143": {
    why: "The card was terminated.",
    what: "Issue a new card: a terminated one never works again.",
  },
  "176": {
    why: "Your authorization endpoint declined, or the default decision did.",
    what: "See below what your endpoint answered, and how long it took.",
  },
  "186": {
    why: "The merchant is on the card's list of blocked merchants.",
    what: "Remove it from the list, or let it pass once, in the card's controls.",
  },
  "188": {
    why: "The CVV that was entered is not the card's.",
    what: "The cardholder should check it. Many wrong ones in a row may be somebody guessing.",
  },
};

/** Why a purchase was declined and what can be done about it. */
export function explain({ responseCode, responseMessage, decision }: Transaction): Explanation {
  const known = BY_CODE[responseCode];
  const { remote } = decision ?? {};
  if (remote?.timedOut === true && remote.defaultUsed) {
    return {
      why: `Your endpoint did not answer within 400 ms, so the default decision declined.`,
      what: "Make the endpoint faster, or change the default decision in the settings.",
    };
  }
  if (remote?.defaultUsed === true) {
    return {
      why: `Your endpoint gave no usable answer${remote.error === undefined ? "" : ` (${remote.error})`}, so the default decision declined.`,
      what: "Test the endpoint in Settings, Card authorization.",
    };
  }
  return known ?? { why: `${responseMessage}.`, what: "See the checks below." };
}
