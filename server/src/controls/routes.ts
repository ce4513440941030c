import { CardPath } from "../cards/wire.ts";
import type { App } from "../http/app.ts";
import { ok } from "../http/envelope.ts";
import { describe } from "../http/openapi.ts";
import type { MerchantAction } from "./change-merchants.ts";
import { type ControlsDeps, changeCardMerchants } from "./service.ts";
import { MerchantOutcomes, MerchantsBody } from "./wire.ts";

const EACH =
  "Takes one merchant id or up to 100, and answers for each on its own, in the order sent. A list holds at " +
  "most 1,000 merchants (422/119 beyond); a terminated card takes no changes (422/143).";

const common = {
  tag: "Cards",
  params: CardPath,
  body: MerchantsBody,
  data: MerchantOutcomes,
} as const;

const Blacklist = describe({
  ...common,
  operationId: "blacklistMerchants",
  summary: "Block merchants",
  description: `Purchases at blacklisted merchants are declined with 186. ${EACH}`,
});

const RemoveBlacklist = describe({
  ...common,
  operationId: "removeMerchantBlacklist",
  summary: "Stop blocking merchants",
  description: `Takes merchants off the blacklist; a waiting one-time unblock goes with them. ${EACH}`,
});

const Whitelist = describe({
  ...common,
  operationId: "whitelistMerchants",
  summary: "Restrict a card to merchants",
  description:
    "While the whitelist has a merchant, purchases anywhere else are declined with 125, and the blacklist is " +
    `not asked. ${EACH}`,
});

const RemoveWhitelist = describe({
  ...common,
  operationId: "removeMerchantWhitelist",
  summary: "Lift a restriction to merchants",
  description: `Takes merchants off the whitelist; an empty one restricts nothing. ${EACH}`,
});

const OneTimeUnblock = describe({
  ...common,
  operationId: "unblockMerchantsOnce",
  summary: "Let a blocked merchant pass once",
  description:
    "The next purchase at the blacklisted merchant that gets as far as the merchant check passes it, and uses " +
    `this up, whether it is approved in the end or not. ${EACH}`,
});

const routes: [path: string, schema: typeof Blacklist, action: MerchantAction][] = [
  ["blacklist", Blacklist, { kind: "Add", list: "Black" }],
  ["blacklist/remove", RemoveBlacklist, { kind: "Remove", list: "Black" }],
  ["whitelist", Whitelist, { kind: "Add", list: "White" }],
  ["whitelist/remove", RemoveWhitelist, { kind: "Remove", list: "White" }],
  ["one-time-unblock", OneTimeUnblock, { kind: "Unblock" }],
];

/** Which merchants a card may be used at. */
export function controlsRoutes(api: App, deps: ControlsDeps): void {
  for (const [path, schema, action] of routes) {
    api.post(
      `/cards/:cardId/merchants/${path}`,
      { schema },
      async ({ caller, params: { cardId }, body }) =>
        ok(await changeCardMerchants(deps, caller, cardId, action, body), { resourceId: cardId }),
    );
  }
}
