import type { CardFacts } from "../cards/card.ts";
import { isSameCvv } from "../cards/cvv.ts";
import { findSecretCard } from "../cards/details/store.ts";
import { openSecrets } from "../cards/secrets.ts";
import type { Pool } from "../db/pool.ts";
import type { Engine } from "../engine/engine.ts";
import type { Operation } from "../engine/operation.ts";
import type { Clock } from "../foundation/clock.ts";
import type { Currency } from "../foundation/currencies.ts";
import { convert } from "../foundation/fx.ts";
import { newId } from "../foundation/ids.ts";
import type { Vault } from "../keys/vault.ts";
import { billingRate, type Programme, programmeById } from "../programmes/programmes.ts";
import type { Claim } from "../references/claim.ts";
import type { Merchant } from "../transactions/transaction.ts";
import { type Authorized, authorize } from "./authorize.ts";
import type { Shown } from "./facts.ts";
import type { EntryMode, Purchase, PurchaseType } from "./purchase.ts";

export interface AuthorizationDeps {
  pool: Pool;
  clock: Clock;
  engine: Engine;
  vault: Vault;
  programmes: readonly Programme[];
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
  expiry?: { month: number; year: number } | undefined;
  /** Names the message; one that repeats is answered as the first was. */
  networkReference?: string | undefined;
}

export async function authorizePurchase(
  deps: AuthorizationDeps,
  organizationId: string,
  message: PurchaseMessage,
  claim?: Claim,
): Promise<Authorized> {
  const purchase = await prepare(deps, organizationId, message);
  return deps.engine.run(authorize, organizationId, purchase, claim);
}

/** What would be decided now; nothing changes but the Reference. */
export async function rehearsePurchase(
  deps: AuthorizationDeps,
  organizationId: string,
  message: PurchaseMessage,
  claim?: Claim,
): Promise<Authorized> {
  const purchase = await prepare(deps, organizationId, message);
  return deps.engine.run(rehearse, organizationId, purchase, claim);
}

const rehearse: Operation<Purchase, Authorized> = {
  ...authorize,
  name: "rehearse",
  decide: (view, purchase, now) => {
    const decision = authorize.decide(view, purchase, now);
    if ("refused" in decision) return decision;
    return { effects: { postings: [], events: [] }, answer: decision.answer };
  },
};

async function prepare(
  deps: AuthorizationDeps,
  organizationId: string,
  message: PurchaseMessage,
): Promise<Purchase> {
  const { card, requestType, amountMinor, currency } = message;
  const programme = programmeById(deps.programmes, card.programmeId);
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
    cvv:
      message.cvv === undefined
        ? "Absent"
        : await cvvShown(deps, organizationId, card, message.cvv),
    networkReference: message.networkReference ?? transactionId,
    approvalCode: transactionId.slice(-6).toUpperCase(),
    holdDays:
      requestType === "PreAuthorization" ? programme.preAuthorizationHoldDays : programme.holdDays,
  };
}

/** What an amount is in the programme's currency; null: the programme has no rate for it. */
export function billingOf(
  programme: Programme,
  amountMinor: bigint,
  currency: Currency,
): { amountMinor: bigint; rate: string | null } | null {
  if (currency === programme.currency) return { amountMinor, rate: null };
  const rate = billingRate(programme, currency);
  if (rate === undefined) return null;
  return { amountMinor: convert(amountMinor, currency, programme.currency, rate), rate };
}

async function cvvShown(
  { pool, vault }: AuthorizationDeps,
  organizationId: string,
  { cardId }: CardFacts,
  given: string,
): Promise<Shown> {
  const card = await findSecretCard(pool, organizationId, cardId);
  if (card === undefined) return "Mismatch";
  const { cvv } = await openSecrets(vault, organizationId, card, card);
  return isSameCvv(given, cvv) ? "Match" : "Mismatch";
}
