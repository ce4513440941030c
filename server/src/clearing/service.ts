import { billingOf } from "../authorization/billing.ts";
import type { CustomerManaged } from "../authorization/remote/customer-managed.ts";
import type { CardFacts } from "../cards/card.ts";
import type { CardBook } from "../cards/card-book.ts";
import type { Reads } from "../db/reads.ts";
import type { Engine } from "../engine/engine.ts";
import type { Clock } from "../foundation/clock.ts";
import type { Currency } from "../foundation/currencies.ts";
import { newId } from "../foundation/ids.ts";
import { findProgramme, type Programme, withoutProgramme } from "../programmes/programmes.ts";
import type { Claim } from "../references/claim.ts";
import type { PaymentFacts } from "../transactions/facts.ts";
import { retryIfMessageKeyTaken } from "../transactions/message-key.ts";
import type { Merchant } from "../transactions/transaction.ts";
import type { WalletIds } from "../wallets/service.ts";
import type { Cleared } from "./finish.ts";
import { type FollowUp, followUp } from "./follow-up.ts";
import type { Message } from "./life.ts";
import type { CrossBorder } from "./movement.ts";
import { post } from "./post.ts";

export interface ClearingDeps {
  clock: Clock;
  engine: Engine;
  reads: Reads;
  cardBook: CardBook;
  walletIds: WalletIds;
  programmes: readonly Programme[];
  customerManaged: CustomerManaged;
}

/** What a network may say of a payment that is known. */
export type FollowUpKind = "Settlement" | "Reversal" | "Refund";

/** A message about a payment that is known. No network sends an expiry: we tell ourselves. */
export interface FollowUpMessage {
  kind: FollowUpKind | "Expiry";
  /** In the payment's currency; without one, all that is left. */
  amountMinor?: bigint | undefined;
  isPartial?: boolean | undefined;
  /** Of a settlement: it came in one message with the purchase. */
  isImmediate?: boolean | undefined;
  /** Of a reversal or refund, instead of its amount: what is to remain. */
  remainingMinor?: bigint | undefined;
  /** Of a refund: it is a reversal, of what was settled in one message with the purchase. */
  isReversal?: boolean | undefined;
  networkReference?: string | undefined;
  /** The events of the payment when this was decided on; if it has another one by now, nothing is done. */
  seenEvents?: number | undefined;
}

export async function followPayment(
  deps: ClearingDeps,
  organizationId: string,
  payment: PaymentFacts,
  sent: FollowUpMessage,
  claim?: Claim,
): Promise<Cleared> {
  const card = await deps.cardBook.find(organizationId, payment.cardId);
  // What was authorized settles even if an operator has withdrawn the card's programme since.
  const programme = findProgramme(deps.programmes, card);
  const nowMs = deps.clock.nowMs();
  const entryId = newId("jrn", nowMs);
  const input: FollowUp = {
    transactionId: payment.transactionId,
    card,
    fundingAccountId: payment.accountId,
    walletId: await deps.walletIds.ensure(organizationId, card.currency),
    message: messageOf(sent, programme),
    networkReference: sent.networkReference ?? entryId,
    entryId,
    payoutTransactionId: newId("txn", nowMs),
    crossBorder: crossBorderOf(programme, payment.merchantCountry, nowMs),
    adviceId: adviceIdOf(card, payment.accountId, nowMs),
    seenEvents: sent.seenEvents,
  };
  const run = () => deps.engine.run(followUp, organizationId, input, claim);
  const cleared = await retryIfMessageKeyTaken(run);
  wakeAdvices(deps, input);
  return cleared;
}

/** An organization that decided a payment, so that its wallet pays, is sent advice of what becomes of it. */
function adviceIdOf(card: CardFacts, fundingAccountId: string, nowMs: number): string | undefined {
  return fundingAccountId === card.accountId ? undefined : newId("req", nowMs);
}

function wakeAdvices(
  { customerManaged }: ClearingDeps,
  { adviceId }: Pick<FollowUp, "adviceId">,
): void {
  if (adviceId !== undefined) customerManaged.advices.wake();
}

function messageOf(sent: FollowUpMessage, programme: Programme | undefined): Message {
  const { kind, amountMinor, isPartial = false, isImmediate, remainingMinor, isReversal } = sent;
  if (kind === "Expiry") return { kind };
  if (kind === "Reversal") return { kind, amountMinor, remainingMinor };
  if (kind === "Refund") return { kind, amountMinor, remainingMinor, isReversal };
  const toleranceBps = programme?.overCaptureToleranceBps ?? 0;
  return { kind, amountMinor, isPartial, toleranceBps, isImmediate };
}

function crossBorderOf(
  programme: Programme | undefined,
  merchantCountry: string | null,
  nowMs: number,
): CrossBorder | undefined {
  if (merchantCountry === null || programme === undefined) return undefined;
  const { country, crossBorderRateBps: rateBps } = programme;
  if (merchantCountry === country) return undefined;
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
  const programme = findProgramme(deps.programmes, card);
  const nowMs = deps.clock.nowMs();
  const transactionId = newId("txn", nowMs);
  const walletId = await deps.walletIds.ensure(organizationId, card.currency);
  const { managed } = await deps.customerManaged.settings.find(organizationId);
  const fundingAccountId = managed === undefined ? card.accountId : walletId;
  const input = {
    transactionId,
    type,
    card,
    fundingAccountId,
    walletId,
    amountMinor,
    currency,
    billing: billingOf(programme ?? withoutProgramme(card), amountMinor, currency),
    merchant,
    networkReference: message.networkReference ?? transactionId,
    entryId: newId("jrn", nowMs),
    payoutTransactionId: newId("txn", nowMs),
    crossBorder: crossBorderOf(programme, merchant.country, nowMs),
    adviceId: adviceIdOf(card, fundingAccountId, nowMs),
  };
  const run = () => deps.engine.run(post, organizationId, input, claim);
  const cleared = await retryIfMessageKeyTaken(run);
  wakeAdvices(deps, input);
  return cleared;
}
