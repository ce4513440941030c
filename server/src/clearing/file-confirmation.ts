import { type Need, need } from "../engine/table.ts";
import type { View } from "../engine/view.ts";
import { isoNameOf } from "../transactions/iso-name.ts";
import type { Message } from "./life.ts";
import { isLineReference } from "./line-reference.ts";
import { messagesOfPayment, messagesOfPaymentKey, requestTypeOf } from "./message-table.ts";

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

/**
 * Whether a message only repeats what a line of a clearing file has posted: a line of the same amount that no
 * message has confirmed yet. Gives what it confirms; such a message moves nothing.
 */
export function kindConfirmed(view: View, sent: Sent): Kind | undefined {
  const kind = kindInFile(sent);
  if (kind === undefined) return undefined;
  const sentMinor = "amountMinor" in sent.message ? sent.message.amountMinor : undefined;
  const alike = view
    .rows(messagesOfPayment, messagesOfPaymentKey(kind, sent.transactionId))
    .filter(({ amountMinor }) => amountMinor === sentMinor);
  const posted = alike.filter(({ networkReference }) => isLineReference(networkReference));
  const claimed = alike.filter(({ confirms }) => confirms);
  return posted.length > claimed.length ? kind : undefined;
}
