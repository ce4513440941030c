import type { CardFacts } from "../cards/card.ts";
import { newTransactionIds } from "../cards/charges/service.ts";
import { type CvvSource, isSameCvv } from "../cards/cvv.ts";
import { secretsOfCard } from "../cards/details/store.ts";
import { cvvOf, openSecrets } from "../cards/secrets.ts";
import type { Reads } from "../db/reads.ts";
import { scopedKey } from "../db/scoped-key.ts";
import type { Engine } from "../engine/engine.ts";
import type { Operation } from "../engine/operation.ts";
import type { Clock } from "../foundation/clock.ts";
import type { Currency } from "../foundation/currencies.ts";
import { newId } from "../foundation/ids.ts";
import type { Vault } from "../keys/vault.ts";
import {
  expectProgramme,
  findProgramme,
  type Programme,
  withoutProgramme,
} from "../programmes/programmes.ts";
import type { Claim } from "../references/claim.ts";
import { retryIfMessageKeyTaken } from "../transactions/message-key.ts";
import type { Merchant } from "../transactions/transaction.ts";
import type { WalletIds } from "../wallets/service.ts";
import { authorize } from "./authorize.ts";
import { billingOf } from "./billing.ts";
import type { Expectations } from "./expectations.ts";
import type { Shown } from "./facts.ts";
import type { DecidedPurchase } from "./outcome.ts";
import type { EntryMode, Purchase, PurchaseType, ShownExpiry } from "./purchase.ts";
import type { CustomerManaged } from "./remote/customer-managed.ts";
import { authorizeRemotely } from "./remote/service.ts";
import type { Arrangement } from "./settings/settings-book.ts";

export interface AuthorizationDeps {
  reads: Reads;
  clock: Clock;
  engine: Engine;
  vault: Vault;
  programmes: readonly Programme[];
  walletIds: WalletIds;
  customerManaged: CustomerManaged;
  expectations: Expectations;
}

/** A purchase as the network tells of it, whichever network that is. */
export interface PurchaseMessage {
  card: CardFacts;
  requestType: PurchaseType;
  amountMinor: bigint;
  currency: Currency;
  merchant: Merchant;
  entryMode: EntryMode;
  cvv?: string | undefined;
  /** The card's number, where it is known, so that it need not be looked up to verify the CVV. */
  presented?: { pan: string; cvvSource: CvvSource } | undefined;
  expiry?: ShownExpiry | undefined;
  /** Names the message; one that repeats is answered as the first was. */
  networkReference?: string | undefined;
  /** The network has decided it in our place, and tells of it. */
  isAdvice?: boolean | undefined;
  /** Given by whoever decided in our place. */
  approvalCode?: string | undefined;
}

export async function authorizePurchase(
  deps: AuthorizationDeps,
  organizationId: string,
  message: PurchaseMessage,
  claim?: Claim,
): Promise<DecidedPurchase> {
  const arrangement = await arrangementOf(deps, organizationId);
  const { managed } = arrangement;
  const purchase = await prepare(deps, organizationId, message, arrangement);
  // An advice is decided already, so the organization is not asked.
  const decided = await (managed !== undefined && message.isAdvice !== true
    ? authorizeRemotely(deps, organizationId, purchase, managed, claim)
    : retryIfMessageKeyTaken(() => deps.engine.run(authorize, organizationId, purchase, claim)));
  if (decided.extras !== undefined) deps.expectations.note(message.card.cardId, decided.extras);
  return decided;
}

/** What would be decided now, if whoever is asked approves; nothing changes but the Reference. */
export async function rehearsePurchase(
  deps: AuthorizationDeps,
  organizationId: string,
  message: PurchaseMessage,
  claim?: Claim,
): Promise<DecidedPurchase> {
  const arrangement = await arrangementOf(deps, organizationId);
  const purchase = await prepare(deps, organizationId, message, arrangement);
  return deps.engine.run(rehearse, organizationId, purchase, claim);
}

const rehearse: Operation<Purchase, DecidedPurchase> = {
  ...authorize,
  name: "rehearse",
  decide: (view, purchase, now) => {
    const decision = authorize.decide(view, purchase, now);
    if ("refused" in decision) return decision;
    return { effects: { postings: [], events: [] }, answer: decision.answer };
  },
};

/** Who decides is in memory, as a rule. */
function arrangementOf(
  { customerManaged: { settings } }: AuthorizationDeps,
  organizationId: string,
): Arrangement | Promise<Arrangement> {
  return settings.recall(organizationId) ?? settings.find(organizationId);
}

async function prepare(
  deps: AuthorizationDeps,
  organizationId: string,
  message: PurchaseMessage,
  { managed, isDisabled }: Arrangement,
): Promise<Purchase> {
  const { card, requestType, amountMinor, currency } = message;
  const programme = termsOf(deps, message);
  const transactionId = newId("txn", deps.clock.nowMs());
  return {
    transactionId,
    requestType,
    card,
    amountMinor,
    currency,
    billing: billingOf(programme, amountMinor, currency),
    merchant: message.merchant,
    entryMode: message.entryMode,
    expiry: message.expiry,
    cvv: message.cvv === undefined ? "Absent" : await cvvShown(deps, organizationId, message),
    networkReference: message.networkReference ?? transactionId,
    expected: deps.expectations.of(card.cardId),
    approvalCode: message.approvalCode ?? transactionId.slice(-6).toUpperCase(),
    holdDays:
      requestType === "PreAuthorization" ? programme.preAuthorizationHoldDays : programme.holdDays,
    chargeTransactionIds: card.type === "Lite" ? newTransactionIds(deps.clock) : [],
    managed: managed && {
      walletId: await deps.walletIds.ensure(organizationId, card.currency),
      payoutTransactionId: newId("txn", deps.clock.nowMs()),
    },
    isAdvice: message.isAdvice,
    isOrganizationDisabled: isDisabled,
  };
}

/** What the network has decided in our place is not refused because the card's programme was withdrawn. */
function termsOf({ programmes }: AuthorizationDeps, { card, isAdvice }: PurchaseMessage) {
  if (isAdvice !== true) return expectProgramme(programmes, card);
  return findProgramme(programmes, card) ?? withoutProgramme(card);
}

async function cvvShown(
  deps: AuthorizationDeps,
  organizationId: string,
  { card, presented, cvv: given = "" }: PurchaseMessage,
): Promise<Shown> {
  const cvv =
    presented === undefined
      ? await cvvOfCard(deps, organizationId, card)
      : await cvvOf(deps.vault, presented.pan, presented.cvvSource);
  return cvv !== undefined && isSameCvv(given, cvv) ? "Match" : "Mismatch";
}

async function cvvOfCard(
  { reads, vault }: AuthorizationDeps,
  organizationId: string,
  { cardId }: CardFacts,
): Promise<string | undefined> {
  const [card] = await reads.ask(secretsOfCard, scopedKey(organizationId, cardId));
  return card && (await openSecrets(vault, organizationId, card, card)).cvv;
}
