import { type Need, need } from "../engine/table.ts";
import type { View } from "../engine/view.ts";
import { isoNameOf } from "../transactions/iso-name.ts";
import type { Transaction } from "../transactions/transaction.ts";
import { ownAmounts } from "./currencies.ts";
import { type Message, wasReversed } from "./life.ts";
import { isLineReference } from "./line-reference.ts";
import {
  messagesOfPayment,
  messagesOfPaymentKey,
  type NetworkMessage,
  requestTypeOf,
} from "./message-table.ts";
import { asRecordedNow } from "./past-message.ts";

interface Sent {
  transactionId: string;
  message: Message;
  networkReference: string;
}

type Kind = "Settlement" | "Refund";

/** Only messages that came by ISO 8583 can match a line of a clearing file: nobody else sends both. */
function kindInFile({ message, networkReference }: Sent): Kind | undefined {
  const kind = requestTypeOf(message);
  const isInFiles = kind === "Settlement" || kind === "Refund";
  return isInFiles && isoNameOf(networkReference) !== undefined ? kind : undefined;
}

export function needsOfConfirmation(sent: Sent): Need[] {
  const kind = kindInFile(sent);
  if (kind === undefined) return [];
  return [need(messagesOfPayment, messagesOfPaymentKey(kind, sent.transactionId))];
}

/** What a message confirms, and of which amount; it moves nothing. */
export interface Confirmation {
  kind: Kind;
  amountMinor: bigint;
}

/**
 * Whether a message only repeats what a line of a clearing file has posted: a line of the same amount that no
 * message has confirmed yet. A single message confirms whatever leaves it nothing to settle, unless it was reversed.
 */
export function confirmationBy(
  view: View,
  transaction: Transaction,
  sent: Sent,
): Confirmation | undefined {
  const kind = kindInFile(sent);
  if (kind === undefined) return undefined;
  const { message } = sent;
  const isSingle = message.kind === "Settlement" && message.isImmediate === true;
  if (isSingle && wasReversed(transaction)) return undefined;
  const sentMinor = "amountMinor" in message ? message.amountMinor : undefined;
  const amounts = isSingle ? amountsOfSingle(transaction) : [sentMinor];
  const messages = view
    .rows(messagesOfPayment, messagesOfPaymentKey(kind, sent.transactionId))
    .map((row) => asRecordedNow(row, transaction));
  const posted = amounts.find((amountMinor) => isPosted(messages, amountMinor));
  if (posted !== undefined) return { kind, amountMinor: posted };
  return isSingle && sentMinor === 0n ? { kind, amountMinor: transaction.amountMinor } : undefined;
}

/** Its line may be about what a reversal has left of it, or about all of it. */
function amountsOfSingle(transaction: Transaction): bigint[] {
  const { authorizedMinor, reversedMinor } = ownAmounts(transaction);
  return [authorizedMinor - reversedMinor, authorizedMinor];
}

function isPosted(messages: NetworkMessage[], sentMinor: bigint | undefined): boolean {
  const alike = messages.filter(({ amountMinor }) => amountMinor === sentMinor);
  const posted = alike.filter(({ networkReference }) => isLineReference(networkReference));
  const claimed = alike.filter(({ confirms }) => confirms);
  return posted.length > claimed.length;
}
