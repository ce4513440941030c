import { ownAmounts } from "../../clearing/currencies.ts";
import type { Transaction } from "../../transactions/transaction.ts";
import { canFollow, hasLeft, isNamedBy } from "../originals/choose.ts";
import type { ClearingLine } from "./line.ts";

export type Outcome = "Matched" | "ForcePosted" | "AmountDiffers";

/** A payment that a line may be about. */
export interface Candidate {
  transaction: Transaction;
  /** The amounts that messages have moved and no line has confirmed. */
  unconfirmed: readonly bigint[];
}

export const isUnconfirmed = ({ unconfirmed }: Candidate): boolean => unconfirmed.length > 0;

/** Whether a message has done just what a line tells, and no line has told it yet. */
export const isDoneBy =
  ({ amountMinor }: ClearingLine) =>
  ({ unconfirmed }: Candidate): boolean =>
    unconfirmed.includes(amountMinor);

/**
 * What a line is about: the payment whose message it names, else one with its DE 37; what a message has done
 * already comes before what is still to be done, and that before what is over.
 */
export function chooseForLine(
  line: ClearingLine,
  candidates: readonly Candidate[],
): Candidate | undefined {
  const suitable = candidates.filter((candidate) => suits(line, candidate));
  const named = suitable.filter(({ transaction }) => isNamed(line, transaction));
  const meant = named.length > 0 ? named : suitable;
  const isOpen = ({ transaction }: Candidate): boolean => hasLeft(line.kind, transaction);
  const done = meant.find(isDoneBy(line)) ?? meant.find(isUnconfirmed);
  return done ?? meant.find(isOpen) ?? meant[0];
}

function isNamed(
  { trace, transmitted, acquirer }: ClearingLine,
  transaction: Transaction,
): boolean {
  if (trace === undefined || transmitted === undefined) return false;
  return isNamedBy(transaction, { trace, transmitted, acquirer });
}

/** As with messages; what a message has done already may be confirmed in any case. */
function suits({ kind, currency }: ClearingLine, candidate: Candidate): boolean {
  const { approved, type, ...transaction } = candidate.transaction;
  if (!approved || transaction.currency !== currency) return false;
  return isUnconfirmed(candidate) || canFollow(kind, type);
}

/** How a line compares with what was known of its payment before it, in the payment's currency. */
export function outcomeOf(
  line: ClearingLine,
  candidate: Candidate,
  { isPosted }: { isPosted: boolean },
): Outcome {
  const { kind, amountMinor, isPartial } = line;
  const { transaction } = candidate;
  const own = ownAmounts(transaction);
  const nowMinor = kind === "Settlement" ? own.settledMinor : own.refundedMinor;
  const doneMinor = isPosted ? nowMinor - amountMinor : nowMinor;
  if (isUnconfirmed(candidate) && !isPosted) {
    return isDoneBy(line)(candidate) ? "Matched" : "AmountDiffers";
  }
  const wholeMinor =
    kind === "Settlement" ? own.authorizedMinor - own.reversedMinor : own.settledMinor;
  // A refund or a part may leave something over; the last part, or the only one, may not.
  const mayLeave = kind === "Refund" || isPartial;
  const leftMinor = wholeMinor - doneMinor - amountMinor;
  return leftMinor === 0n || (mayLeave && leftMinor > 0n) ? "Matched" : "AmountDiffers";
}

/** What is posted on its own is a second presentment where a message has posted the same so, and a file confirmed it. */
export function outcomeAlone(
  { kind, currency }: ClearingLine,
  candidates: readonly Candidate[],
): Outcome {
  const isSecond = candidates.some(
    (candidate) =>
      candidate.transaction.type === kind &&
      candidate.transaction.currency === currency &&
      !isUnconfirmed(candidate),
  );
  return isSecond ? "AmountDiffers" : "ForcePosted";
}
