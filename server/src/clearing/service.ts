import { billingOf } from "../authorization/service.ts";
import type { CardFacts } from "../cards/card.ts";
import type { CardBook } from "../cards/facts.ts";
import type { Reads } from "../db/reads.ts";
import type { Engine } from "../engine/engine.ts";
import type { Clock } from "../foundation/clock.ts";
import type { Currency } from "../foundation/currencies.ts";
import { Failure } from "../foundation/failure.ts";
import { convert } from "../foundation/fx.ts";
import { newId } from "../foundation/ids.ts";
import { type Programme, programmeById } from "../programmes/programmes.ts";
import type { Claim } from "../references/claim.ts";
import type { PaymentFacts } from "../transactions/facts.ts";
import type { Merchant } from "../transactions/transaction.ts";
import type { WalletIds } from "../wallets/service.ts";
import type { Cleared } from "./finish.ts";
import { type FollowUp, followUp } from "./follow-up.ts";
import type { Message } from "./life.ts";
import type { CrossBorder } from "./money.ts";
import { post } from "./post.ts";

export interface ClearingDeps {
  clock: Clock;
  engine: Engine;
  reads: Reads;
  cardBook: CardBook;
  walletIds: WalletIds;
  programmes: readonly Programme[];
}

/** A message about a payment that is known. */
export interface FollowUpMessage {
  kind: "Settlement" | "Reversal" | "Refund" | "Expiry";
  /** In the payment's currency; without one, all that is left. */
  amountMinor?: bigint | undefined;
  isPartial?: boolean | undefined;
  networkReference?: string | undefined;
}

export async function followPayment(
  deps: ClearingDeps,
  organizationId: string,
  payment: PaymentFacts,
  sent: FollowUpMessage,
  claim?: Claim,
): Promise<Cleared> {
  const card = await deps.cardBook.find(organizationId, payment.cardId);
  const programme = programmeById(deps.programmes, card.programmeId);
  const nowMs = deps.clock.nowMs();
  const input: FollowUp = {
    transactionId: payment.transactionId,
    card,
    fundingAccountId: payment.accountId,
    walletId: await deps.walletIds.ensure(organizationId, card.currency),
    message: messageOf(sent, payment, programme),
    networkReference:
      sent.kind === "Expiry" ? null : (sent.networkReference ?? newId("jrn", nowMs)),
    entryId: newId("jrn", nowMs),
    payoutTransactionId: newId("txn", nowMs),
    crossBorder: crossBorderOf(programme, payment.merchantCountry, nowMs),
  };
  return deps.engine.run(followUp, organizationId, input, claim);
}

function messageOf(sent: FollowUpMessage, payment: PaymentFacts, programme: Programme): Message {
  const { kind, isPartial = false } = sent;
  const amountMinor =
    sent.amountMinor === undefined ? undefined : inBilling(payment, sent.amountMinor);
  if (kind === "Expiry") return { kind };
  if (kind !== "Settlement") return { kind, amountMinor };
  return { kind, amountMinor, isPartial, toleranceBps: programme.overCaptureToleranceBps };
}

/** At the rate that was fixed when the payment was decided. */
function inBilling(payment: PaymentFacts, amountMinor: bigint): bigint {
  const { billingRate, currency, billingCurrency } = payment;
  if (billingRate === null) return amountMinor;
  if (amountMinor === payment.amountMinor) return payment.billingAmountMinor;
  return convert(amountMinor, currency, billingCurrency, billingRate);
}

function crossBorderOf(
  { country, crossBorderRateBps: rateBps }: Programme,
  merchantCountry: string | null,
  nowMs: number,
): CrossBorder | undefined {
  if (merchantCountry === null || merchantCountry === country) return undefined;
  return { rateBps, chargeId: newId("chg", nowMs), transactionId: newId("txn", nowMs) };
}

/** A settlement that no authorization preceded, or a refund that no settlement did. */
export interface PostMessage {
  type: "Settlement" | "Refund";
  card: CardFacts;
  amountMinor: bigint;
  currency: Currency;
  merchant: Merchant;
  networkReference?: string | undefined;
}

export async function postPayment(
  deps: ClearingDeps,
  organizationId: string,
  message: PostMessage,
  claim?: Claim,
): Promise<Cleared> {
  const { card, type, amountMinor, currency, merchant } = message;
  const programme = programmeById(deps.programmes, card.programmeId);
  const billing = billingOf(programme, amountMinor, currency);
  if (billing === null) throw new Failure("CURRENCY_NOT_SUPPORTED");
  const nowMs = deps.clock.nowMs();
  const transactionId = newId("txn", nowMs);
  const input = {
    transactionId,
    type,
    card,
    fundingAccountId: card.accountId,
    walletId: await deps.walletIds.ensure(organizationId, card.currency),
    amountMinor,
    currency,
    billing,
    merchant,
    networkReference: message.networkReference ?? transactionId,
    entryId: newId("jrn", nowMs),
    payoutTransactionId: newId("txn", nowMs),
    crossBorder: crossBorderOf(programme, merchant.country, nowMs),
  };
  return deps.engine.run(post, organizationId, input, claim);
}
