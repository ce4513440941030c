import { Failure } from "../../foundation/failure.ts";
import { homeOf } from "../../programmes/programmes.ts";
import type { Message } from "../iso8583/fields.ts";
import type { GatewayDeps } from "./deps.ts";
import { answerOnce, readFollowUp } from "./follow-ups.ts";
import type { Peer } from "./peers.ts";
import { amountOf, kindOf, merchantOf } from "./read.ts";
import { type Reply, replyToFollowUp } from "./reply.ts";

/** 0220: a completion or a refund of what it is about; without that, a force post or an unlinked refund. */
export async function completeOrRefund(
  deps: GatewayDeps,
  message: Message,
  peer: Peer,
): Promise<Reply> {
  const kind = followUpKindOf(message);
  const { amountMinor, currency } = amountOf(message);
  const merchant = merchantOf(message);
  const request = await readFollowUp(deps, message, kind, peer);
  const { organizationId, card, networkReference } = request;
  return answerOnce(deps, request, currency, async ({ known, original }) => {
    if (amountMinor === 0n) throw new Failure("INVALID_REQUEST_AMOUNT");
    if (currency === undefined) throw new Failure("CURRENCY_NOT_SUPPORTED");
    const payment = known ?? original;
    if (payment !== undefined) {
      const sent = { kind, amountMinor, networkReference };
      return replyToFollowUp(await deps.door.follow(organizationId, payment, sent));
    }
    const home = homeOf(deps.programmes, card);
    const posted = await deps.door.post(organizationId, {
      type: kind,
      card,
      amountMinor,
      currency,
      merchant: { ...merchant, country: merchant.country ?? home },
      networkReference,
    });
    return replyToFollowUp(posted);
  });
}

function followUpKindOf(message: Message): "Settlement" | "Refund" {
  const kind = kindOf(message);
  if (kind === "20") return "Refund";
  if (kind === "00" || kind === "01") return "Settlement";
  throw new Failure("INVALID_TRANSACTION");
}
