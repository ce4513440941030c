import { codes } from "../../foundation/codes.ts";
import { refusing } from "../iso8583/elements/element.ts";
import { originalOf } from "../iso8583/elements/original.ts";
import type { Message } from "../iso8583/fields.ts";
import { isGiven } from "../originals/choose.ts";
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
  const { 32: acquirer } = message.fields;
  const original = originalOf(message)?.acquirer ?? "";
  const isOthers = acquirer !== undefined && !peer.serves(acquirer);
  const isAboutOthers = isGiven(original) && !peer.serves(original);
  return isOthers || isAboutOthers ? { responseCode: codes.INSTITUTION_NOT_FOUND.code } : undefined;
}
