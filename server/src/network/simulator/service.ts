import type { z } from "zod";
import type { DecidedPurchase } from "../../authorization/outcome.ts";
import type { AuthorizationDeps } from "../../authorization/service.ts";
import { describeDecision } from "../../authorization/trace.ts";
import type { CardFacts } from "../../cards/card.ts";
import type { CardBook } from "../../cards/card-book.ts";
import { type Cleared, describeCleared } from "../../clearing/finish.ts";
import type { FollowUpKind, PostMessage } from "../../clearing/service.ts";
import type { Reads } from "../../db/reads.ts";
import type { Currency } from "../../foundation/currencies.ts";
import { parseAmount } from "../../foundation/money.ts";
import type { Caller } from "../../http/caller.ts";
import { homeOf } from "../../programmes/programmes.ts";
import { findPayment } from "../../transactions/facts.ts";
import type { Merchant } from "../../transactions/transaction.ts";
import type { NetworkDoor } from "../door.ts";
import {
  DEFAULT_MERCHANT,
  type FollowUpBody,
  type MerchantInput,
  type PostBody,
  type PurchaseBody,
} from "./wire.ts";

export interface SimulatorDeps extends AuthorizationDeps {
  door: NetworkDoor;
  reads: Reads;
  cardBook: CardBook;
}

export async function simulatePurchase(
  deps: SimulatorDeps,
  { organizationId, claim }: Caller,
  body: z.output<typeof PurchaseBody>,
  decide: NetworkDoor["authorize"],
): Promise<DecidedPurchase> {
  const statedMinor = statedAmount(body, { allowZero: true });
  const card = await deps.cardBook.find(organizationId, body.cardId);
  const { currency = card.currency } = body;
  const message = {
    card,
    requestType: body.requestType,
    amountMinor: statedMinor ?? parseAmount(body.amount, currency, { allowZero: true }),
    currency,
    merchant: merchantOf(deps, card, body.merchant),
    entryMode: body.entryMode,
    cvv: body.cvv,
    expiry: { month: body.expiryMonth, year: body.expiryYear },
    networkReference: body.networkReference,
  };
  return decide(organizationId, message, claim);
}

/** An amount whose currency is stated is judged before anything is looked up. */
function statedAmount(
  { amount, currency }: { amount: number; currency?: Currency | undefined },
  options: { allowZero?: boolean } = {},
): bigint | undefined {
  return currency === undefined ? undefined : parseAmount(amount, currency, options);
}

export async function simulateFollowUp(
  deps: SimulatorDeps,
  { organizationId, claim }: Caller,
  transactionId: string,
  kind: FollowUpKind,
  body: z.output<typeof FollowUpBody> | undefined,
): Promise<Cleared> {
  const payment = await findPayment(deps, organizationId, transactionId);
  const { amount, partial, networkReference } = body ?? {};
  const message = {
    kind,
    amountMinor: amount === undefined ? undefined : parseAmount(amount, payment.currency),
    isPartial: partial,
    networkReference,
  };
  return deps.door.follow(organizationId, payment, message, claim);
}

export async function simulatePost(
  deps: SimulatorDeps,
  { organizationId, claim }: Caller,
  type: PostMessage["type"],
  body: z.output<typeof PostBody>,
): Promise<Cleared> {
  const statedMinor = statedAmount(body);
  const card = await deps.cardBook.find(organizationId, body.cardId);
  const { currency = card.currency, networkReference } = body;
  const message = {
    type,
    card,
    amountMinor: statedMinor ?? parseAmount(body.amount, currency),
    currency,
    merchant: merchantOf(deps, card, body.merchant),
    networkReference,
  };
  return deps.door.post(organizationId, message, claim);
}

function merchantOf(
  { programmes }: SimulatorDeps,
  card: CardFacts,
  given: MerchantInput = DEFAULT_MERCHANT,
): Merchant {
  const { mid, mcc, name, city, country = homeOf(programmes, card) } = given;
  return { mid, mcc, name, city, country };
}

export function describeAuthorized(decided: DecidedPurchase) {
  const { decision } = decided.transaction;
  // Added, not spread: see decision 5.
  return Object.assign(
    describeCleared(decided),
    decision === null ? {} : { decision: describeDecision(decision) },
  );
}
