import { z } from "zod";
import type { App } from "../../http/app.ts";
import { ok } from "../../http/envelope.ts";
import { describe } from "../../http/openapi.ts";
import { amount } from "../../http/schema.ts";
import { CardPath } from "../wire.ts";
import { type FundingDeps, topUpCard } from "./service.ts";
import { MovedMoney } from "./wire.ts";

const TopUpCard = describe({
  operationId: "topUpCard",
  tag: "Cards",
  summary: "Top up a card",
  description: "Debits your wallet and credits the card with the same amount.",
  params: CardPath,
  body: z.strictObject({ amount }),
  data: MovedMoney,
});

export function fundingRoutes(api: App, deps: FundingDeps): void {
  api.post("/cards/:cardId/top-up", { schema: TopUpCard }, async ({ caller, params, body }) => {
    const moved = await topUpCard(deps, caller, params.cardId, body.amount);
    return ok(moved, { resourceId: moved.transactionId });
  });
}
