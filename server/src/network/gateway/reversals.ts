import type { Cleared } from "../../clearing/finish.ts";
import { Failure } from "../../foundation/failure.ts";
import { findPayment, type PaymentFacts } from "../../transactions/facts.ts";
import { currencyOfNumber } from "../iso8583/currency-numbers.ts";
import { replacementAmountsOf } from "../iso8583/elements/amounts.ts";
import type { Message } from "../iso8583/fields.ts";
import { originalKeyFor } from "../originals/find.ts";
import { settledAtOnce } from "../originals/store.ts";
import type { GatewayDeps } from "./deps.ts";
import { answerOnce, type FollowUpRequest, readFollowUp } from "./follow-ups.ts";
import { ACCEPTED, type Reply, replyToFollowUp } from "./reply.ts";

/** 0400 and 0420: takes a purchase back, or leaves as much of it as DE 95 says. */
export async function reverse(deps: GatewayDeps, message: Message): Promise<Reply> {
  const remainingMinor = replacementAmountsOf(message)?.transactionMinor;
  const request = await readFollowUp(deps, message, "Reversal");
  return answerOnce(deps, request, undefined, async ({ known, original }) => {
    const payment = known ?? original ?? (await awaitOriginal(deps, request));
    if (payment === undefined) return ACCEPTED;
    const currency = message.fields[49];
    if (currency !== undefined && currencyOfNumber(currency) !== payment.currency) {
      throw new Failure("INVALID_TRANSACTION");
    }
    return replyToFollowUp(await takeBack(deps, request, payment, remainingMinor));
  });
}

/** What is reversed has not come yet: it will be declined when it does. Unless it came this moment. */
async function awaitOriginal(
  deps: GatewayDeps,
  { organizationId, card, name, networkReference, original }: FollowUpRequest,
): Promise<PaymentFacts | undefined> {
  const originalKey = originalKeyFor(name, original);
  const reversal = { card, networkReference, originalKey };
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
    if (!isNothingHeld(error)) throw error;
    const key = `${organizationId} ${payment.transactionId}`;
    const [single] = await deps.reads.ask(settledAtOnce, key);
    if (single === undefined) throw error;
    return deps.door.follow(organizationId, payment, { kind: "Refund", ...named });
  }
}

const isNothingHeld = (error: unknown): boolean =>
  error instanceof Failure && error.codeName === "INVALID_TRANSACTION";
