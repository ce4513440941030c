import { z } from "zod";
import type { App } from "../../http/app.ts";
import { ok } from "../../http/envelope.ts";
import { describe } from "../../http/openapi.ts";
import { line } from "../../http/schema.ts";
import { MovedMoney } from "../funding/wire.ts";
import { NoBody } from "../settings/wire.ts";
import { Card, CardPath } from "../wire.ts";
import { type ClosingDeps, regularizeCard, terminateCard } from "./service.ts";

const MAX_REASON_LENGTH = 200;

const TerminateCard = describe({
  operationId: "terminateCard",
  tag: "Cards",
  summary: "Terminate a card",
  description:
    "For good. Pending cross-border charges are collected first, as far as the money goes. With the last card " +
    "of its balance, what is left goes back to your wallet as soon as no authorization holds it; a negative " +
    "balance stays until it is regularized.",
  params: CardPath,
  body: z
    .strictObject({
      reason: line(MAX_REASON_LENGTH)
        .optional()
        .meta({ description: "Shown as terminationReason; Requested if not said" }),
    })
    .nullish(),
  data: Card,
});

const RegularizeCard = describe({
  operationId: "regularizeCard",
  tag: "Cards",
  summary: "Settle a terminated card's negative balance",
  description:
    "Your wallet pays what a negative balance owes, and it ends at 0.00. All cards of the balance must be " +
    "terminated; a card that lives is topped up instead.",
  params: CardPath,
  body: NoBody,
  data: MovedMoney,
});

export function closingRoutes(api: App, deps: ClosingDeps): void {
  api.post(
    "/cards/:cardId/terminate",
    { schema: TerminateCard },
    async ({ caller, params, body }) => {
      const card = await terminateCard(deps, caller, params.cardId, body?.reason);
      return ok(card, { resourceId: card.cardId });
    },
  );

  api.post("/cards/:cardId/regularize", { schema: RegularizeCard }, async ({ caller, params }) => {
    const moved = await regularizeCard(deps, caller, params.cardId);
    return ok(moved, { resourceId: moved.transactionId });
  });
}
