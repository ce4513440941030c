import type { App } from "../../http/app.ts";
import { ok } from "../../http/envelope.ts";
import { describe } from "../../http/openapi.ts";
import { Card, CardPath } from "../wire.ts";
import { type DetailsDeps, readCard, readCardSecrets, readCards } from "./service.ts";
import { CardsQuery, CardWithSecrets } from "./wire.ts";

const ListCards = describe({
  operationId: "listCards",
  tag: "Cards",
  summary: "List cards",
  description: "Your organization's cards with their balances, newest first.",
  querystring: CardsQuery,
  data: Card.array(),
  paged: true,
});

const GetCard = describe({
  operationId: "getCard",
  tag: "Cards",
  summary: "Get a card",
  description: "The card with its balance and its settings; of its number, what may be shown.",
  params: CardPath,
  data: Card,
});

const GetCardSecrets = describe({
  operationId: "getCardSecrets",
  tag: "Cards",
  summary: "Get a card with its number and CVV",
  description:
    "For PCI-compliant use only. The token needs the scope `CardSecrets`; the answer must not be " +
    "cached, and every call is on record.",
  params: CardPath,
  data: CardWithSecrets,
});

export function detailsRoutes(api: App, deps: DetailsDeps): void {
  api.get("/cards", { schema: ListCards }, async ({ caller, query }) =>
    readCards(deps, caller.organizationId, query),
  );
  api.get("/cards/:cardId", { schema: GetCard }, async ({ caller, params }) =>
    ok(await readCard(deps, caller.organizationId, params.cardId)),
  );
  api.get(
    "/cards/:cardId/secure",
    { schema: GetCardSecrets, config: { scope: "CardSecrets" } },
    async ({ caller, params, ip }, reply) => {
      reply.header("cache-control", "no-store");
      return ok(await readCardSecrets(deps, caller, params.cardId, ip));
    },
  );
}
