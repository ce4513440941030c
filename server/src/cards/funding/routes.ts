import { z } from "zod";
import type { App } from "../../http/app.ts";
import { ok } from "../../http/envelope.ts";
import { describe } from "../../http/openapi.ts";
import { amountAsked, cardId } from "../../http/schema.ts";
import { CardPath } from "../wire.ts";
import { type FundingDeps, topUpCard, transferBetweenCards, withdrawFromCard } from "./service.ts";
import { MovedMoney } from "./wire.ts";

const TopUpCard = describe({
  operationId: "topUpCard",
  tag: "Cards",
  summary: "Top up a card",
  description:
    "Debits your wallet and credits the card with the same amount. A frozen card can be topped up.",
  params: CardPath,
  body: z.strictObject({ amount: amountAsked }),
  data: MovedMoney,
});

const WithdrawFromCard = describe({
  operationId: "withdrawFromCard",
  tag: "Cards",
  summary: "Withdraw money from a card",
  description:
    "Debits the card and credits your wallet. The card must keep the minimum of its programme available.",
  params: CardPath,
  body: z.strictObject({ amount: amountAsked }),
  data: MovedMoney,
});

const TransferBetweenCards = describe({
  operationId: "transferBetweenCards",
  tag: "Cards",
  summary: "Transfer money from card to card",
  description:
    "Debits the source card and credits the beneficiary card, which has the same currency. Each side gets a " +
    "transaction of its own with the same transferId, which is the transactionId of the source's; the " +
    "source's is the answer.",
  body: z
    .strictObject({ sourceCardId: cardId, beneficiaryCardId: cardId, amount: amountAsked })
    .meta({
      examples: [
        {
          sourceCardId: "card_01kc2m8v4qd0s7xfh3bzn6rwte",
          beneficiaryCardId: "card_01kc2m8v4qe5w2nq8r4jt1hxyz",
          amount: 25.5,
        },
      ],
    }),
  data: MovedMoney,
});

export function fundingRoutes(api: App, deps: FundingDeps): void {
  api.post("/cards/:cardId/top-up", { schema: TopUpCard }, async ({ caller, params, body }) => {
    const moved = await topUpCard(deps, caller, params.cardId, body.amount);
    return ok(moved, { resourceId: moved.transactionId });
  });

  api.post(
    "/cards/:cardId/withdraw",
    { schema: WithdrawFromCard },
    async ({ caller, params, body }) => {
      const moved = await withdrawFromCard(deps, caller, params.cardId, body.amount);
      return ok(moved, { resourceId: moved.transactionId });
    },
  );

  api.post("/cards/transfers", { schema: TransferBetweenCards }, async ({ caller, body }) => {
    const moved = await transferBetweenCards(deps, caller, body, body.amount);
    return ok(moved, { resourceId: moved.transactionId });
  });
}
