import type { CardFacts } from "../cards/card.ts";
import type { Currency } from "../foundation/currencies.ts";
import type { Merchant } from "../transactions/transaction.ts";
import type { Billing } from "./billing.ts";
import type { Extras } from "./expectations.ts";
import type { Shown } from "./facts.ts";

export const purchaseTypes = ["Authorization", "PreAuthorization", "CashWithdrawal"] as const;
export type PurchaseType = (typeof purchaseTypes)[number];

export const entryModes = [
  "Ecommerce",
  "Chip",
  "MagStripe",
  "Contactless",
  "DeviceWallet",
] as const;
export type EntryMode = (typeof entryModes)[number];

/** What was shown of the expiry, if anything. */
export interface ShownExpiry {
  month?: number | undefined;
  year?: number | undefined;
}

/** A purchase that wants to be decided, with all that can be known of it before its card is locked. */
export interface Purchase {
  transactionId: string;
  requestType: PurchaseType;
  card: CardFacts;
  amountMinor: bigint;
  currency: Currency;
  /** Null: the programme has no rate for the currency. */
  billing: Billing | null;
  merchant: Merchant;
  entryMode: EntryMode;
  expiry?: ShownExpiry | undefined;
  cvv: Shown;
  networkReference: string;
  /** What is likely to be looked for besides, see Expectations. */
  expected?: Extras | undefined;
  /** What the terminal prints if it is approved. */
  approvalCode: string;
  holdDays: number;
  /** For the charges that a lite card pays when it ends; none for other cards. */
  chargeTransactionIds: readonly string[];
  /** Set where the organization decides for itself, and its wallet pays. */
  managed?: Managed | undefined;
  /** The network has decided it in our place: it is held as far as the money goes, whatever the checks say. */
  isAdvice?: boolean | undefined;
  /** What passes all checks is declined all the same, unless it is an advice. */
  isOrganizationDisabled?: boolean | undefined;
}

/** What a purchase needs that the organization decides. */
export interface Managed {
  walletId: string;
  payoutTransactionId: string;
}
