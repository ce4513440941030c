import type { App } from "../../http/app.ts";
import { ok } from "../../http/envelope.ts";
import { describe } from "../../http/openapi.ts";
import { Card, CardPath } from "../wire.ts";
import { changeCardSettings, freezeCard, type SettingsDeps, unfreezeCard } from "./service.ts";
import { ChangeCardBody, NoBody } from "./wire.ts";

const FreezeCard = describe({
  operationId: "freezeCard",
  tag: "Cards",
  summary: "Freeze a card",
  description:
    "Stops authorizations, withdrawals and transfers out, until the card is unfrozen. It can still be " +
    "topped up, and purchases that were authorized before still settle.",
  params: CardPath,
  body: NoBody,
  data: Card,
});

const UnfreezeCard = describe({
  operationId: "unfreezeCard",
  tag: "Cards",
  summary: "Unfreeze a card",
  description: "Makes a frozen card active again.",
  params: CardPath,
  body: NoBody,
  data: Card,
});

const ChangeCard = describe({
  operationId: "changeCard",
  tag: "Cards",
  summary: "Change a card",
  description:
    "Changes the settings of a card that is not terminated. Each field that is sent replaces the one " +
    "before as a whole, so an empty list or object takes all of it away; what is not sent stays.",
  params: CardPath,
  body: ChangeCardBody,
  data: Card,
});

export function settingsRoutes(api: App, deps: SettingsDeps): void {
  api.post("/cards/:cardId/freeze", { schema: FreezeCard }, async ({ caller, params }) =>
    ok(await freezeCard(deps, caller, params.cardId)),
  );
  api.post("/cards/:cardId/unfreeze", { schema: UnfreezeCard }, async ({ caller, params }) =>
    ok(await unfreezeCard(deps, caller, params.cardId)),
  );
  api.patch("/cards/:cardId", { schema: ChangeCard }, async ({ caller, params, body }) =>
    ok(await changeCardSettings(deps, caller, params.cardId, body)),
  );
}
