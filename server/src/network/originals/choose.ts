import type { FollowUpKind } from "../../clearing/service.ts";
import { isOfAcquirer, isoNameOf } from "../../transactions/iso-name.ts";
import { isPurchaseType, type TransactionType } from "../../transactions/transaction.ts";
import type { Original } from "../iso8583/elements/original.ts";
import type { Candidate } from "./store.ts";

/** The message that another one is about, as far as that one tells: zeros where it does not. */
export type OriginalMessage = Omit<Original, "forwarder">;

/** What a message says of the payment that it is about. */
export interface Wanted {
  /** The message's own. */
  acquirer: string;
  kind: FollowUpKind;
  currency: string | undefined;
  original: OriginalMessage | undefined;
}

/**
 * The payment that a message is about: the one whose message it names, else one that its acquirer calls by the
 * same name, else one that another acquirer does. What it names without an acquirer is its own acquirer's first, too.
 * A reversal that names its original takes back that one or none, since other messages of the payment may stand.
 */
export function chooseOriginal(
  { acquirer, kind, currency, original }: Wanted,
  found: { byTrace: Candidate[]; byRetrieval: Candidate[] },
): Candidate | undefined {
  const isMeant = (candidate: Candidate): boolean => suits(kind, currency, candidate);
  const usableOriginal = original !== undefined && isIdentifying(original) ? original : undefined;
  const named = found.byTrace.filter(
    (c) => isMeant(c) && usableOriginal !== undefined && isNamedBy(c, usableOriginal),
  );
  const [firstNamed] = ownFirst(named, acquirer);
  if (firstNamed !== undefined) return firstNamed;
  if (kind === "Reversal" && usableOriginal !== undefined) return undefined;
  const meant = ownFirst(found.byRetrieval.filter(isMeant), acquirer);
  return (
    meant.find((c) => hasLeft(kind, c)) ??
    // A purchase that was settled in one message holds nothing, and can be reversed all the same.
    meant.find((c) => kind === "Reversal" && hasLeft("Refund", c)) ??
    meant.find((c) => c.approved) ??
    meant[0]
  );
}

/** An acquirer's own, or all where it has none among them. */
function ownFirst(candidates: Candidate[], acquirer: string): Candidate[] {
  const own = candidates.filter((c) => isOfAcquirer(c.networkReference, acquirer));
  return own.length > 0 ? own : candidates;
}

/**
 * Whether a payment has what such a message takes: what is settled for a refund, else what is held. An acquirer
 * that tries again under one name leaves payments that are over beside the one that it means.
 */
export const hasLeft = (
  kind: FollowUpKind,
  payment: Pick<Candidate, "heldMinor" | "settledMinor" | "refundedMinor">,
): boolean =>
  kind === "Refund" ? payment.settledMinor > payment.refundedMinor : payment.heldMinor > 0n;

/**
 * A settlement or refund must have the payment's currency, since it names an amount; otherwise it is posted on
 * its own. A declined payment is no purchase.
 */
function suits(
  kind: FollowUpKind,
  currency: string | undefined,
  { type, approved, ...candidate }: Candidate,
): boolean {
  if (kind === "Reversal") return true;
  if (!approved || (currency !== undefined && currency !== candidate.currency)) return false;
  return canFollow(kind, type);
}

/** What was posted without a purchase is not settled again, but may be given back. */
export const canFollow = (
  kind: Exclude<FollowUpKind, "Reversal">,
  type: TransactionType,
): boolean => isPurchaseType(type) || (kind === "Refund" && type === "Settlement");

/** Whether a payment began with this message. */
export function isNamedBy(
  { networkReference }: { networkReference: string | null },
  original: Omit<OriginalMessage, "mti">,
): boolean {
  const name = isoNameOf(networkReference);
  return (
    name?.trace === original.trace &&
    name.transmitted === original.transmitted &&
    (!isGiven(original.acquirer) || isOfAcquirer(networkReference, original.acquirer))
  );
}

/** Whether it tells enough to know a message by. */
export const isIdentifying = ({ trace, transmitted }: OriginalMessage): boolean =>
  isGiven(trace) && isGiven(transmitted);

export const isGiven = (digits: string): boolean => /[1-9]/.test(digits);
