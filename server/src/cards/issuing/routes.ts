import type { App } from "../../http/app.ts";
import { ok } from "../../http/envelope.ts";
import { describe } from "../../http/openapi.ts";
import { Card } from "../wire.ts";
import { type IssuingDeps, issueLiteCard, issueNamedCard, reissueCard } from "./service.ts";
import { IssueCardBody, IssueLiteBody, ReissueBody } from "./wire.ts";

const IssueRetailCard = describe({
  operationId: "issueRetailCard",
  tag: "Cards",
  summary: "Issue a retail card",
  description:
    "A card for a person whose verification is approved. `initialBalance` is moved from your wallet.",
  body: IssueCardBody,
  data: Card,
});

const IssueCorporateCard = describe({
  operationId: "issueCorporateCard",
  tag: "Cards",
  summary: "Issue a corporate card",
  description:
    "A card for a business whose verification is approved. `initialBalance` is moved from your wallet.",
  body: IssueCardBody,
  data: Card,
});

const IssueLiteCard = describe({
  operationId: "issueLiteCard",
  tag: "Cards",
  summary: "Issue a lite card",
  description:
    "A card with a balance that cannot be topped up and a number of purchases. It terminates when " +
    "either is used up.",
  body: IssueLiteBody,
  data: Card,
});

const ReissueCard = describe({
  operationId: "reissueCard",
  tag: "Cards",
  summary: "Re-issue a card",
  description:
    "Another card for a customer. With `sharedBalance: true` it spends from the account of `cardId`, " +
    "which stays as it is; with `false` it gets an account of its own with `initialBalance`. Type, " +
    "currency, name and address are those of the original: `cardId`, or else the customer's latest " +
    "card. A customer without one, or whose latest is a lite card, gets a retail or corporate card.",
  body: ReissueBody,
  data: Card,
});

export function issuingRoutes(api: App, deps: IssuingDeps): void {
  api.post("/cards/retail", { schema: IssueRetailCard }, async ({ caller, body }) =>
    ok(await issueNamedCard(deps, caller, "Retail", body)),
  );
  api.post("/cards/corporate", { schema: IssueCorporateCard }, async ({ caller, body }) =>
    ok(await issueNamedCard(deps, caller, "Corporate", body)),
  );
  api.post("/cards/lite", { schema: IssueLiteCard }, async ({ caller, body }) =>
    ok(await issueLiteCard(deps, caller, body)),
  );
  api.post("/cards/reissue", { schema: ReissueCard }, async ({ caller, body }) =>
    ok(await reissueCard(deps, caller, body)),
  );
}
