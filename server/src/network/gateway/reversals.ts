import type { Cleared } from "../../clearing/finish.ts";
import type { FollowUpMessage } from "../../clearing/service.ts";
import { scopedKey } from "../../db/scoped-key.ts";
import { Failure, isFailure } from "../../foundation/failure.ts";
import { findPayment, type PaymentFacts } from "../../transactions/facts.ts";
import { currencyOfNumber } from "../iso8583/currency-numbers.ts";
import { replacementAmountsOf } from "../iso8583/elements/amounts.ts";
import type { Message } from "../iso8583/fields.ts";
import { keyOfOriginal } from "../originals/find.ts";
import { settledAtOnce } from "../originals/store.ts";
import type { GatewayDeps } from "./deps.ts";
import { answerOnce, type FollowUpRequest, readFollowUp } from "./follow-ups.ts";
import type { Peer } from "./peers.ts";
import { ACCEPTED, type Reply, replyToFollowUp } from "./reply.ts";

/** 0400 and 0420: takes a purchase back, or leaves as much of it as DE 95 says. */
export async function reverse(deps: GatewayDeps, message: Message, peer: Peer): Promise<Reply> {
  const remainingMinor = replacementAmountsOf(message)?.transactionMinor;
  const request = await readFollowUp(deps, message, "Reversal", peer);
  return answerOnce(deps, request, undefined, async ({ known, original }) => {
    // A 0220 tells of what has happened: it cannot be declined any more, and the rest of its payment is not meant.
    if (known === undefined && isOfCompletion(request)) throw new Failure("INVALID_TRANSACTION");
    const payment = known ?? original ?? (await awaitOriginal(deps, request));
    if (payment === undefined) return ACCEPTED;
    // Without an amount there is nothing whose currency could differ.
    const currency = remainingMinor === undefined ? undefined : message.fields[49];
    if (currency !== undefined && currencyOfNumber(currency) !== payment.currency) {
      throw new Failure("INVALID_TRANSACTION");
    }
    return replyToFollowUp(await takeBack(deps, request, payment, remainingMinor));
  });
}

const isOfCompletion = ({ original }: FollowUpRequest): boolean =>
  original?.mti.startsWith("022") === true;

/** The original has not come yet: it will be declined when it does. If it came this moment, it is reversed. */
async function awaitOriginal(
  deps: GatewayDeps,
  { organizationId, card, name, networkReference, original }: FollowUpRequest,
): Promise<PaymentFacts | undefined> {
  const reversal = { card, networkReference, ...keyOfOriginal(name, original) };
  const { transactionId } = await deps.door.remember(organizationId, reversal);
  return transactionId === undefined ? undefined : findPayment(deps, organizationId, transactionId);
}

/** Releases what is held. What was settled in the same message with the purchase is given back. */
async function takeBack(
  deps: GatewayDeps,
  { organizationId, networkReference }: FollowUpRequest,
  payment: PaymentFacts,
  remainingMinor: bigint | undefined,
): Promise<Cleared> {
  const named = { remainingMinor, networkReference };
  try {
    return await deps.door.follow(organizationId, payment, { kind: "Reversal", ...named });
  } catch (error) {
    if (!isFailure(error, "INVALID_TRANSACTION")) throw error;
    const key = scopedKey(organizationId, payment.transactionId);
    const [single] = await deps.reads.ask(settledAtOnce, key);
    if (single === undefined) throw error;
    return await giveBack(deps, organizationId, payment, named);
  }
}

/** A reversal is told that there is nothing left to reverse, not that its amount is wrong: it has none. */
async function giveBack(
  { door }: GatewayDeps,
  organizationId: string,
  payment: PaymentFacts,
  named: Pick<FollowUpMessage, "remainingMinor" | "networkReference">,
): Promise<Cleared> {
  try {
    const refund = { kind: "Refund", isReversal: true, ...named } as const;
    return await door.follow(organizationId, payment, refund);
  } catch (error) {
    throw isFailure(error, "TRANSACTION_AMOUNT_DIFFERS") ? new Failure("ALREADY_REVERSED") : error;
  }
}
