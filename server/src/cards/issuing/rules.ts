import type { Currency } from "../../foundation/currencies.ts";
import { Failure, type FieldError } from "../../foundation/failure.ts";
import { isId } from "../../foundation/ids.ts";
import { decimalText, parseAmount, problemOfAmount } from "../../foundation/money.ts";
import { type Programme, programmeOf } from "../../programmes/programmes.ts";
import type { CardType } from "../card.ts";
import type { Settings } from "../settings/change-settings.ts";
import { foldMccs, type RequestedLimits, readLimits } from "../settings/limits.ts";
import { embossedName } from "./embossed-name.ts";
import type { Cardholder } from "./store.ts";

/** Which customers a card is for; Lite cards are for all. */
const kindFor: Partial<Record<CardType, Cardholder["type"]>> = {
  Retail: "Individual",
  Corporate: "Business",
};

export function checkCardholder(cardholder: Cardholder, type?: CardType): void {
  if (!cardholder.isApproved) {
    throw new Failure("KYC_NOT_APPROVED", {
      message: "The customer's verification is not approved",
    });
  }
  const kind = type && kindFor[type];
  if (kind !== undefined && kind !== cardholder.type) {
    const article = kind === "Individual" ? "an" : "a";
    throw new Failure("KYC_NOT_APPROVED", {
      message: `A ${type} card is for ${article} ${kind} customer; this one is ${cardholder.type}`,
    });
  }
}

/** The card that a customer gets when nothing else says what it shall be. */
export const typeFor = ({ type }: Cardholder): CardType =>
  type === "Individual" ? "Retail" : "Corporate";

export function nameFor({ firstName, lastName, registeredName }: Cardholder): string {
  return embossedName(registeredName ?? `${firstName} ${lastName}`);
}

export function supportedProgramme(
  programmes: readonly Programme[],
  currency: Currency,
): Programme {
  const programme = programmeOf(programmes, currency);
  if (programme !== undefined) return programme;
  throw new Failure("CURRENCY_NOT_SUPPORTED", { message: `No cards are issued in ${currency}` });
}

export interface RequestedSettings {
  cardLimits?: RequestedLimits | undefined;
  whiteListedMccs?: string[] | undefined;
  blackListedMccs?: string[] | undefined;
  contactlessPayment?: boolean;
  metadata?: Record<string, string> | undefined;
}

export function readSettings(requested: RequestedSettings, currency: Currency): Settings {
  // Added, not spread: see decision 5.
  return Object.assign(readLimits(requested.cardLimits, currency), {
    whiteListedMccs: foldMccs(requested.whiteListedMccs ?? []),
    blackListedMccs: foldMccs(requested.blackListedMccs ?? []),
    contactlessPayment: requested.contactlessPayment ?? false,
    metadata: requested.metadata ?? {},
  });
}

/** What a card shall hold at first, which may be nothing. */
export const readInitialBalance = (balance: number, currency: Currency): bigint =>
  parseAmount(balance, currency, { allowZero: true, field: "initialBalance" });

/** What a lite card shall hold, before its bounds: the currency is known before its programme. */
export const readLiteBalance = (balance: number, currency: Currency): bigint =>
  parseAmount(balance, currency, { field: "balance" });

/** What a lite card shall hold, and how often it may pay, are within what its programme allows. */
export function checkLiteBounds(
  { balanceMinor, swipeCount }: { balanceMinor: bigint; swipeCount: number },
  { currency, liteMinimumMinor, liteMaximumMinor, liteMaximumSwipes }: Programme,
): void {
  const isBalanceGood = balanceMinor >= liteMinimumMinor && balanceMinor <= liteMaximumMinor;
  const areSwipesGood = swipeCount <= liteMaximumSwipes;
  if (isBalanceGood && areSwipesGood) return;
  const [from, to] = [liteMinimumMinor, liteMaximumMinor].map((minor) =>
    decimalText(minor, currency),
  );
  const balance = { field: "balance", message: `must be from ${from} to ${to} ${currency}` };
  const swipes = { field: "swipeCount", message: `must be from 1 to ${liteMaximumSwipes}` };
  if (!areSwipesGood) throw refusedFields(isBalanceGood ? [swipes] : [balance, swipes]);
  throw new Failure("INVALID_REQUEST_AMOUNT", {
    message: `The balance of a lite card ${balance.message}`,
    errors: [balance],
  });
}

/** Whose balance a re-issued card shall spend. */
export type Source = { sharedWith: string } | { initialBalance: number };

/** Refuses fields that belong to the other way of re-issuing, and a missing one that this way needs. */
export function readSource(request: {
  sharedBalance: boolean;
  cardId?: string | undefined;
  initialBalance?: number | undefined;
}): Source {
  const { sharedBalance, cardId, initialBalance } = request;
  const errors: FieldError[] = [];
  if (sharedBalance && cardId === undefined) {
    errors.push({ field: "cardId", message: "is required when sharedBalance is true" });
  }
  if (sharedBalance && initialBalance !== undefined) {
    errors.push({ field: "initialBalance", message: "must not be sent if sharedBalance is true" });
  }
  if (!sharedBalance && cardId !== undefined) {
    errors.push({ field: "cardId", message: "must not be sent if sharedBalance is false" });
  }
  const amountErrors = sharedBalance ? [] : errorsOfInitialBalance(initialBalance);
  const cardErrors = sharedBalance ? errorsOfCardId(cardId) : [];
  if (errors.length > 0) throw refusedFields([...errors, ...amountErrors, ...cardErrors]);
  if (amountErrors.length > 0) {
    throw new Failure("INVALID_REQUEST_AMOUNT", { errors: amountErrors });
  }
  if (cardErrors.length > 0) throw new Failure("INVALID_CARD_ID", { errors: cardErrors });
  return sharedBalance && cardId !== undefined
    ? { sharedWith: cardId }
    : { initialBalance: initialBalance ?? 0 };
}

function errorsOfInitialBalance(initialBalance = 0): FieldError[] {
  const message = problemOfAmount(initialBalance, true);
  return message === undefined ? [] : [{ field: "initialBalance", message }];
}

const errorsOfCardId = (cardId: string | undefined): FieldError[] =>
  cardId === undefined || isId("card", cardId)
    ? []
    : [{ field: "cardId", message: "must be a card id" }];

const refusedFields = (errors: FieldError[]): Failure => new Failure("INVALID_REQUEST", { errors });
