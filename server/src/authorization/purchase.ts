import type { CardFacts } from "../cards/card.ts";
import type { Currency } from "../foundation/currencies.ts";
import type { Merchant } from "../transactions/transaction.ts";
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

/** A purchase that wants to be decided, with all that can be known of it before its card is locked. */
export interface Purchase {
  transactionId: string;
  requestType: PurchaseType;
  card: CardFacts;
  amountMinor: bigint;
  currency: Currency;
  /** Null: the programme has no rate for the currency. */
  billing: { amountMinor: bigint; rate: string | null } | null;
  merchant: Merchant;
  entryMode: EntryMode;
  /** The expiry that was shown, if any. */
  expiry?: { month: number; year: number } | undefined;
  cvv: Shown;
  networkReference: string;
  /** What the terminal prints if it is approved. */
  approvalCode: string;
  holdDays: number;
}
