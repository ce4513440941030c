import type { FoundCard } from "../../cards/by-pan.ts";
import { findPayment, type PaymentFacts } from "../../transactions/facts.ts";
import { type IsoName, networkReferenceOf } from "../../transactions/iso-name.ts";
import type { Message } from "../iso8583/fields.ts";
import type { FollowUpKind, OriginalMessage } from "../originals/choose.ts";
import { findOriginal } from "../originals/find.ts";
import { paymentOfMessage } from "../originals/store.ts";
import {
  type FollowUpName,
  keepingRefusals,
  keyOfMessage,
  refusedBefore,
  refuseOthers,
} from "../refusals.ts";
import type { GatewayDeps } from "./deps.ts";
import { nameOf, originalMessageOf, panOf } from "./read.ts";
import { ACCEPTED, type Reply } from "./reply.ts";

/** A message about a payment, with its card found. */
export interface FollowUpRequest extends FoundCard {
  kind: FollowUpKind;
  name: IsoName;
  networkReference: string;
  original: OriginalMessage | undefined;
}

export async function readFollowUp(
  deps: GatewayDeps,
  message: Message,
  kind: FollowUpKind,
): Promise<FollowUpRequest> {
  const name = nameOf(message, deps.clock.now());
  const original = originalMessageOf(message);
  const found = await deps.cardNumbers.find(panOf(message));
  return { ...found, kind, name, networkReference: networkReferenceOf(name), original };
}

/** What is on record when a message comes. */
export interface Background {
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
  const { kind, original } = request;
  const name = messageNameOf(request);
  const [responseCode, known, found] = await Promise.all([
    refusedBefore(deps, name),
    knownPayment(deps, name),
    findOriginal(deps.reads, name, request.name, { kind, currency, original }),
  ]);
  if (responseCode !== undefined) return { ...ACCEPTED, responseCode };
  return keepingRefusals(deps, name, () => run({ known, original: found }));
}

const messageNameOf = ({
  organizationId,
  card,
  kind,
  networkReference,
}: FollowUpRequest): FollowUpName => ({
  organizationId,
  cardId: card.cardId,
  kind,
  networkReference,
});

async function knownPayment(
  deps: GatewayDeps,
  name: FollowUpName,
): Promise<PaymentFacts | undefined> {
  const [known] = await deps.reads.ask(paymentOfMessage, keyOfMessage(name));
  if (known === undefined) return undefined;
  const payment = await findPayment(deps, name.organizationId, known.transactionId);
  refuseOthers(payment, name);
  return payment;
}
