import { OutcomeUnknown } from "../../engine/commit.ts";
import { Failure } from "../../foundation/failure.ts";
import type { Message } from "../iso8583/fields.ts";
import type { Mti } from "../iso8583/message-types.ts";
import { completeOrRefund } from "./completions.ts";
import type { GatewayDeps } from "./deps.ts";
import type { Peer } from "./peers.ts";
import { authorizeAdvice, authorizeAndSettle, authorizeRequest } from "./purchases.ts";
import type { Reply } from "./reply.ts";
import { reverse } from "./reversals.ts";
import { Unanswerable } from "./unanswerable.ts";

type Handler = (deps: GatewayDeps, message: Message, peer: Peer) => Promise<Reply>;

/** A repetition means what its original means: their names tell that they are the same. */
const handlers: Partial<Record<Mti, Handler>> = {
  "0100": authorizeRequest,
  "0101": authorizeRequest,
  "0120": authorizeAdvice,
  "0121": authorizeAdvice,
  "0200": authorizeAndSettle,
  "0201": authorizeAndSettle,
  "0220": completeOrRefund,
  "0221": completeOrRefund,
  "0400": reverse,
  "0401": reverse,
  "0420": reverse,
  "0421": reverse,
};

export const isAboutCard = ({ mti }: Message): boolean => handlers[mti] !== undefined;

/** Lets a message about a card take effect. What is refused is a reply, too. */
export async function dispatch(deps: GatewayDeps, message: Message, peer: Peer): Promise<Reply> {
  const handle = handlers[message.mti];
  if (handle === undefined) throw new Error(`${message.mti} is about no card.`);
  try {
    return await handle(deps, message, peer);
  } catch (error) {
    if (error instanceof OutcomeUnknown) throw new Unanswerable(error);
    if (error instanceof Failure) return { responseCode: error.response.code };
    throw error;
  }
}
