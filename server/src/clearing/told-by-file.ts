import { type Need, need } from "../engine/table.ts";
import type { View } from "../engine/view.ts";
import { isoNameOf } from "../transactions/iso-name.ts";
import type { Transaction } from "../transactions/transaction.ts";
import { ownAmounts } from "./currencies.ts";
import type { Message } from "./life.ts";
import { isLineReference } from "./line-reference.ts";
import { messageKey, messagesOfPayment } from "./messages.ts";

interface Sent {
  transactionId: string;
  message: Message;
  networkReference: string;
}

type Kind = "Settlement" | "Refund";

/** Only messages of the network can be about what a file has told: nobody else sends both. */
function kindInFile({ message, networkReference }: Sent): Kind | undefined {
  const { kind } = message;
  const isInFiles = kind === "Settlement" || kind === "Refund";
  return isInFiles && isoNameOf(networkReference) !== undefined ? kind : undefined;
}

export function needsOfFiles(sent: Sent): Need[] {
  const kind = kindInFile(sent);
  return kind === undefined ? [] : [need(messagesOfPayment, messageKey(kind, sent.transactionId))];
}

/**
 * What a message does that only says what a clearing file has posted already: it is the first of its kind,
 * about the same amount, and nothing is held that it could be about instead. A file that comes after its
 * messages moves nothing either.
 */
export function toldByFile(view: View, sent: Sent, transaction: Transaction): Kind | undefined {
  const kind = kindInFile(sent);
  if (kind === undefined || transaction.heldMinor > 0n) return undefined;
  const before = view.rows(messagesOfPayment, messageKey(kind, sent.transactionId));
  const isFirst = before.every(({ networkReference }) => isLineReference(networkReference));
  if (before.length === 0 || !isFirst) return undefined;
  const own = ownAmounts(transaction);
  const doneMinor = kind === "Settlement" ? own.settledMinor : own.refundedMinor;
  const isSame = "amountMinor" in sent.message && sent.message.amountMinor === doneMinor;
  return isSame ? kind : undefined;
}
