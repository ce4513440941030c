import { z } from "zod";
import { isId } from "../../foundation/ids.ts";
import type { App } from "../../http/app.ts";
import { ok } from "../../http/envelope.ts";
import { describe } from "../../http/openapi.ts";
import { pageQuery } from "../../http/pagination.ts";
import { NoBody } from "../settings/wire.ts";
import { CardPath } from "../wire.ts";
import { MAX_TRIED } from "./charge.ts";
import { type ChargeDeps, readCharges, reprocessCharges } from "./service.ts";
import { CrossBorderCharge, ReprocessedCharges } from "./wire.ts";

const ListCharges = describe({
  operationId: "listCrossBorderCharges",
  tag: "Cards",
  summary: "List a card's cross-border charges",
  description: "What purchases abroad cost on top, collected or still pending; newest first.",
  params: CardPath,
  querystring: z.strictObject(pageQuery((key) => isId("chg", key))),
  data: CrossBorderCharge.array(),
  paged: true,
});

const ReprocessCharges = describe({
  operationId: "reprocessCrossBorderCharges",
  tag: "Cards",
  summary: "Collect a card's pending cross-border charges",
  description:
    "Tries the pending charges again, oldest first, each whole or not at all, from what is available now; a " +
    `charge that is too large does not keep a smaller one from being collected. The ${MAX_TRIED} oldest are tried. ` +
    "It works in every status of the card, since it takes no more than is there.",
  params: CardPath,
  body: NoBody,
  data: ReprocessedCharges,
});

export function chargeRoutes(api: App, deps: ChargeDeps): void {
  api.get(
    "/cards/:cardId/cross-border-charges",
    { schema: ListCharges },
    ({ caller, params, query }) => readCharges(deps, caller, params.cardId, query),
  );

  api.post(
    "/cards/:cardId/cross-border-charges/reprocess",
    { schema: ReprocessCharges },
    async ({ caller, params }) => {
      const reprocessed = await reprocessCharges(deps, caller, params.cardId);
      return ok(reprocessed, { resourceId: params.cardId });
    },
  );
}
