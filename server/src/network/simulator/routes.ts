import { MovedMoney } from "../../cards/funding/wire.ts";
import { describeCleared } from "../../clearing/finish.ts";
import type { App } from "../../http/app.ts";
import { ok } from "../../http/envelope.ts";
import { describe } from "../../http/openapi.ts";
import { Decided, TransactionPath } from "../../transactions/wire.ts";
import {
  describeAuthorized,
  type SimulatorDeps,
  simulateFollowUp,
  simulatePost,
  simulatePurchase,
} from "./service.ts";
import { FollowUpBody, PostBody, PurchaseBody } from "./wire.ts";

const SimulateAuthorization = describe({
  operationId: "simulateAuthorization",
  tag: "Simulator",
  summary: "Buy something with a card",
  description:
    "Sends a purchase as the card network would. Approved or declined, the answer is 200/000 with the " +
    "transaction; its responseCode and its decision say why. An amount of 0 verifies the card.",
  body: PurchaseBody,
  data: Decided,
});

const Settle = describe({
  operationId: "simulateSettlement",
  tag: "Simulator",
  summary: "Settle a purchase",
  description:
    "Captures what was held. Less than held releases the rest, unless it is marked partial; more than " +
    "held is posted too.",
  params: TransactionPath,
  body: FollowUpBody,
  data: MovedMoney,
});

const Reverse = describe({
  operationId: "simulateReversal",
  tag: "Simulator",
  summary: "Reverse a purchase",
  description:
    "Releases what is held, or the amount given. Nothing held: 422/133; already reversed: 422/175; more " +
    "than held: 422/165.",
  params: TransactionPath,
  body: FollowUpBody,
  data: MovedMoney,
});

const Refund = describe({
  operationId: "simulateRefund",
  tag: "Simulator",
  summary: "Refund a purchase",
  description: "Gives back what was settled, or the amount given. More than was settled: 422/235.",
  params: TransactionPath,
  body: FollowUpBody,
  data: MovedMoney,
});

const ForcePost = describe({
  operationId: "simulateForcePost",
  tag: "Simulator",
  summary: "Settle without an authorization",
  description: "A force post: it posts whole, below zero if need be.",
  body: PostBody,
  data: MovedMoney,
});

const UnlinkedRefund = describe({
  operationId: "simulateUnlinkedRefund",
  tag: "Simulator",
  summary: "Refund without a purchase",
  description: "Credits the card's account.",
  body: PostBody,
  data: MovedMoney,
});

/** The card network of a sandbox: an adapter of the door like any other. */
export function networkSimulatorRoutes(api: App, deps: SimulatorDeps): void {
  api.post("/simulator/authorizations", { schema: SimulateAuthorization }, async (request) => {
    const { caller, body } = request;
    const done = await simulatePurchase(deps, caller, body, deps.door.authorize);
    return ok(describeAuthorized(done), { resourceId: done.transaction.transactionId });
  });

  const settling = "/simulator/transactions/:transactionId/settle";
  api.post(settling, { schema: Settle }, async ({ caller, params, body }) => {
    const done = await simulateFollowUp(deps, caller, params.transactionId, "Settlement", body);
    return ok(describeCleared(done), { resourceId: params.transactionId });
  });

  const reversing = "/simulator/transactions/:transactionId/reverse";
  api.post(reversing, { schema: Reverse }, async ({ caller, params, body }) => {
    const done = await simulateFollowUp(deps, caller, params.transactionId, "Reversal", body);
    return ok(describeCleared(done), { resourceId: params.transactionId });
  });

  const refunding = "/simulator/transactions/:transactionId/refund";
  api.post(refunding, { schema: Refund }, async ({ caller, params, body }) => {
    const done = await simulateFollowUp(deps, caller, params.transactionId, "Refund", body);
    return ok(describeCleared(done), { resourceId: params.transactionId });
  });

  api.post("/simulator/settlements", { schema: ForcePost }, async ({ caller, body }) => {
    const done = await simulatePost(deps, caller, "Settlement", body);
    return ok(describeCleared(done), { resourceId: done.transaction.transactionId });
  });

  api.post("/simulator/refunds", { schema: UnlinkedRefund }, async ({ caller, body }) => {
    const done = await simulatePost(deps, caller, "Refund", body);
    return ok(describeCleared(done), { resourceId: done.transaction.transactionId });
  });
}
