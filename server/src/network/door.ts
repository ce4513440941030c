import type { DecidedPurchase } from "../authorization/outcome.ts";
import {
  type AuthorizationDeps,
  authorizePurchase,
  type PurchaseMessage,
} from "../authorization/service.ts";
import type { Cleared } from "../clearing/finish.ts";
import { type EarlyReversal, rememberReversal } from "../clearing/remember-reversal.ts";
import {
  type ClearingDeps,
  type FollowUpMessage,
  followPayment,
  type PostMessage,
  postPayment,
} from "../clearing/service.ts";
import type { Claim } from "../references/claim.ts";
import type { PaymentFacts } from "../transactions/facts.ts";
import { retryIfMessageKeyTaken } from "../transactions/message-key.ts";

/** The one way in for messages of a card network. Adapters call it; nothing behind it knows which. */
export interface NetworkDoor {
  /** Decides a purchase: approved or declined, it is on record. */
  authorize(
    organizationId: string,
    message: PurchaseMessage,
    claim?: Claim,
  ): Promise<DecidedPurchase>;
  /** Takes a known payment on; refuses what is illegal at its stage. */
  follow(
    organizationId: string,
    payment: PaymentFacts,
    message: FollowUpMessage,
    claim?: Claim,
  ): Promise<Cleared>;
  /** Posts what came without anything before it. */
  post(organizationId: string, message: PostMessage, claim?: Claim): Promise<Cleared>;
  /** Keeps a reversal until its original comes; if that came meanwhile, gives its transaction. */
  remember(organizationId: string, reversal: EarlyReversal): Promise<{ transactionId?: string }>;
}

export type DoorDeps = AuthorizationDeps & ClearingDeps;

export function openDoor(deps: DoorDeps): NetworkDoor {
  return {
    authorize: (organizationId, message, claim) =>
      authorizePurchase(deps, organizationId, message, claim),
    follow: (organizationId, payment, message, claim) =>
      followPayment(deps, organizationId, payment, message, claim),
    post: (organizationId, message, claim) => postPayment(deps, organizationId, message, claim),
    remember: (organizationId, reversal) =>
      retryIfMessageKeyTaken(() => deps.engine.run(rememberReversal, organizationId, reversal)),
  };
}
