import { codes } from "../../foundation/codes.ts";
import { withoutZeros } from "../../transactions/iso-name.ts";
import { refusing } from "../iso8583/elements/element.ts";
import { originalOf } from "../iso8583/elements/original.ts";
import type { Message } from "../iso8583/fields.ts";
import { ACCEPTED, type Reply } from "./reply.ts";
import type { Session } from "./session.ts";

const SIGN_ON = "001";
const SIGN_OFF = "002";
export const ECHO = "301";

/** 0800: sign-on, sign-off, echo. */
export function manage(message: Message, session: Session): Reply {
  const code = message.fields[70] ?? refusing(message, 70)("is missing");
  if (code === SIGN_ON || code === SIGN_OFF) session.isSignedOn = code === SIGN_ON;
  else if (code !== ECHO) return { responseCode: codes.INVALID_TRANSACTION.code };
  return ACCEPTED;
}

/** Why a peer may not send a message about a card. */
export function refusalOfPeer(message: Message, { peer, isSignedOn }: Session): Reply | undefined {
  if (peer.requireSignOn && !isSignedOn) return { responseCode: codes.SECURITY_ERROR.code };
  if (peer.acquirers.length > 0 && !isOfAcquirers(message, peer.acquirers)) {
    return { responseCode: codes.INSTITUTION_NOT_FOUND.code };
  }
  return undefined;
}

/** Whether neither the message nor what it says of its original is another acquirer's. */
function isOfAcquirers(message: Message, acquirers: readonly string[]): boolean {
  const own = acquirers.map(withoutZeros);
  const original = withoutZeros(originalOf(message)?.acquirer ?? "");
  const { 32: acquirer } = message.fields;
  return (
    (acquirer === undefined || own.includes(withoutZeros(acquirer))) &&
    (original === "" || own.includes(original))
  );
}
