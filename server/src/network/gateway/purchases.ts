import type { DecidedPurchase } from "../../authorization/outcome.ts";
import { Failure, isFailure } from "../../foundation/failure.ts";
import { homeOf } from "../../programmes/programmes.ts";
import { paymentFactsOf } from "../../transactions/facts.ts";
import { networkReferenceOf } from "../../transactions/iso-name.ts";
import type { Message } from "../iso8583/fields.ts";
import type { GatewayDeps } from "./deps.ts";
import { amountOf, nameOf, panOf, purchaseDetailsOf, purchaseTypeOf } from "./read.ts";
import { ACCEPTED, type Reply, replyToFollowUp, replyToPurchase } from "./reply.ts";
import { Unanswerable } from "./unanswerable.ts";

/** 0100: a purchase that wants to be decided. */
export async function authorizeRequest(deps: GatewayDeps, message: Message): Promise<Reply> {
  const { authorized } = await authorize(deps, message);
  return replyToPurchase(authorized);
}

/** 0120: a purchase that the network decided in our place. Whatever we would have said, it is acknowledged. */
export async function authorizeAdvice(deps: GatewayDeps, message: Message): Promise<Reply> {
  const { 39: decided = "00", 38: approvalCode } = message.fields;
  // What the network declined is as if it had never been.
  if (decided !== "00") return ACCEPTED;
  const advice = { isAdvice: true, approvalCode: approvalCode?.trimEnd() };
  try {
    const { authorized } = await authorize(deps, message, { advice });
    return { ...replyToPurchase(authorized), ...ACCEPTED };
  } catch (error) {
    // In a currency that nobody knows there is no amount that could be held, or put on record.
    if (isFailure(error, "CURRENCY_NOT_SUPPORTED")) return ACCEPTED;
    throw error;
  }
}

/**
 * 0200: authorizes and settles at once. Both go by the same name, so that whoever repeats the message after
 * a crash between the two completes it, and a reversal that came between them stands.
 */
export async function authorizeAndSettle(deps: GatewayDeps, message: Message): Promise<Reply> {
  const { organizationId, authorized } = await authorize(deps, message, { isSingle: true });
  const { transaction } = authorized;
  const { amountMinor, approved, approvalCode } = transaction;
  if (!approved || amountMinor === 0n) return replyToPurchase(authorized);
  const networkReference = transaction.networkReference ?? undefined;
  const settlement = {
    kind: "Settlement",
    amountMinor,
    isImmediate: true,
    networkReference,
  } as const;
  try {
    const payment = paymentFactsOf(transaction);
    const cleared = await deps.door.follow(organizationId, payment, settlement);
    return { ...replyToFollowUp(cleared), approvalCode };
  } catch (error) {
    if (error instanceof Failure && error.response.finality === "TerminalFailure") throw error;
    // A decline would be wrong, since the amount is held: who hears nothing repeats or reverses.
    throw new Unanswerable(error);
  }
}

interface Options {
  isSingle?: boolean;
  advice?: { isAdvice: boolean; approvalCode: string | undefined };
}

async function authorize(
  deps: GatewayDeps,
  message: Message,
  { isSingle = false, advice }: Options = {},
): Promise<{ organizationId: string; authorized: DecidedPurchase }> {
  const networkReference = networkReferenceOf(nameOf(message, deps.clock.now()));
  const { amountMinor, currency } = amountOf(message);
  const { merchant, entryMode, cvv, expiry } = purchaseDetailsOf(message);
  const pan = panOf(message);
  const requestType = purchaseTypeOf(message, { isSingle });
  const { organizationId, card, cvvSource } = await deps.cardNumbers.find(pan);
  if (currency === undefined) throw new Failure("CURRENCY_NOT_SUPPORTED");
  const home = homeOf(deps.programmes, card);
  const { mid, mcc, name, city, country = home } = merchant;
  // Field by field: every purchase takes this way, and spreading is slow.
  const authorized = await deps.door.authorize(organizationId, {
    card,
    requestType,
    amountMinor,
    currency,
    merchant: { mid, mcc, name, city, country },
    entryMode,
    cvv,
    presented: { pan, cvvSource },
    expiry,
    networkReference,
    isAdvice: advice?.isAdvice,
    approvalCode: advice?.approvalCode,
  });
  const { transaction } = authorized;
  // The name of another message is no repetition: its answer must not be taken for this one's.
  if (transaction.amountMinor !== amountMinor || transaction.currency !== currency) {
    throw new Failure("DUPLICATE_TRANSACTION");
  }
  return { organizationId, authorized };
}
