import type { FoundCard } from "../../cards/by-pan.ts";
import type { FollowUpKind } from "../../clearing/service.ts";
import { Failure, isFailure } from "../../foundation/failure.ts";
import { findPayment, type PaymentFacts } from "../../transactions/facts.ts";
import { type IsoName, networkReferenceOf } from "../../transactions/iso-name.ts";
import { noteRefusal } from "../../transactions/unapplied-table.ts";
import { originalOf } from "../iso8583/elements/original.ts";
import type { Message } from "../iso8583/fields.ts";
import type { OriginalMessage } from "../originals/choose.ts";
import { findOriginal } from "../originals/find.ts";
import { messageKeyOf, paymentOfMessage, unappliedAnswer } from "../originals/store.ts";
import type { GatewayDeps } from "./deps.ts";
import type { Peer } from "./peers.ts";
import { nameOf, panOf } from "./read.ts";
import { ACCEPTED, type Reply } from "./reply.ts";

/** A message about a payment, with its card found. */
export interface FollowUpRequest extends FoundCard {
  kind: FollowUpKind;
  name: IsoName;
  networkReference: string;
  original: OriginalMessage | undefined;
  /** Who sent it. */
  peer: Peer;
}

export async function readFollowUp(
  deps: GatewayDeps,
  message: Message,
  kind: FollowUpKind,
  peer: Peer,
): Promise<FollowUpRequest> {
  const name = nameOf(message, deps.clock.now());
  const original = originalOf(message);
  const found = await deps.cardNumbers.find(panOf(message));
  return { ...found, kind, name, networkReference: networkReferenceOf(name), original, peer };
}

/** What is on record when a message comes. */
interface Background {
  /** The payment of this very message, which repeats. */
  known: PaymentFacts | undefined;
  /** The payment that it is about. */
  original: PaymentFacts | undefined;
}

/**
 * Lets a message take effect. One that changed nothing before is answered as it was then, whatever has
 * happened since, and what is refused now is kept for that.
 */
export async function answerOnce(
  deps: GatewayDeps,
  request: FollowUpRequest,
  currency: string | undefined,
  run: (background: Background) => Promise<Reply>,
): Promise<Reply> {
  const { organizationId, card, kind, name, original, peer } = request;
  const key = { organizationId, cardId: card.cardId };
  const [responseCode, known, found] = await Promise.all([
    codeBefore(deps, request),
    knownPayment(deps, request),
    findOriginal(deps.reads, key, name, { kind, currency, original, serves: peer.serves }),
  ]);
  if (responseCode !== undefined && known === undefined) return { ...ACCEPTED, responseCode };
  try {
    return await run({ known, original: found });
  } catch (error) {
    if (isLasting(error)) await note(deps, request, error.response.code);
    if (known !== undefined || !isFailure(error, "DUPLICATE_TRANSACTION")) throw error;
    // A copy of this message may have been quicker, and about a payment that is no longer the one to choose.
    const taken = await knownPayment(deps, request);
    if (taken === undefined) throw error;
    return await run({ known: taken, original: undefined });
  }
}

const keyOf = ({ organizationId, kind, networkReference }: FollowUpRequest): string =>
  messageKeyOf({ organizationId, requestType: kind, networkReference });

async function knownPayment(
  deps: GatewayDeps,
  request: FollowUpRequest,
): Promise<PaymentFacts | undefined> {
  const [known] = await deps.reads.ask(paymentOfMessage, keyOf(request));
  if (known === undefined) return undefined;
  const payment = await findPayment(deps, request.organizationId, known.transactionId);
  refuseOthers(payment, request);
  return payment;
}

/** A name that belongs to another card's message is not this one's. */
function refuseOthers({ cardId }: { cardId: string }, { card }: FollowUpRequest): void {
  if (cardId !== card.cardId) throw new Failure("DUPLICATE_TRANSACTION");
}

async function codeBefore(
  { reads }: GatewayDeps,
  request: FollowUpRequest,
): Promise<string | undefined> {
  const [before] = await reads.ask(unappliedAnswer, keyOf(request));
  if (before !== undefined) refuseOthers(before, request);
  return before?.responseCode;
}

async function note(
  { pool, clock }: GatewayDeps,
  { organizationId, card, kind, networkReference }: FollowUpRequest,
  responseCode: string,
): Promise<void> {
  await noteRefusal(pool, {
    organizationId,
    networkReference,
    requestType: kind,
    cardId: card.cardId,
    responseCode,
    originalKey: null,
    createdAt: clock.now(),
  });
}

/** A name that belongs to another message says nothing about that one. */
const isLasting = (error: unknown): error is Failure =>
  error instanceof Failure &&
  error.response.finality === "TerminalFailure" &&
  error.codeName !== "DUPLICATE_TRANSACTION";
