import type { GuardedRoute } from "../../http/guard.ts";
import type { Permission } from "./roles.ts";

/** What a route of the API asks of a person: some permissions, or only to be one. */
type Rule = [method: string, path: RegExp, ...permissions: Permission[]];

/** In order: the first that fits counts. */
const rules: readonly Rule[] = [
  ["GET", /^\/cards\/:cardId\/secure$/, "cards.reveal"],
  ["GET", /./],
  ["POST", /^\/authorizations\/dry-run$/],
  ["POST", /^\/simulator\//, "sandbox"],
  ["POST", /^\/kyc\//, "kyc"],
  ["POST", /^\/cards\/(retail|corporate|reissue)$/, "cards.issue"],
  // A lite card is never without a balance, which comes from the wallet.
  ["POST", /^\/cards\/lite$/, "cards.issue", "cards.money"],
  ["POST", /^\/cards\/transfers$/, "cards.money"],
  ["POST", /^\/cards\/:cardId\/(top-up|withdraw|regularize)$/, "cards.money"],
  ["POST", /^\/cards\/:cardId\/cross-border-charges\/reprocess$/, "cards.money"],
  ["POST", /^\/cards\/:cardId\/(freeze|unfreeze)$/, "cards.status"],
  ["POST", /^\/cards\/:cardId\/terminate$/, "cards.terminate"],
  ["POST", /^\/cards\/:cardId\/merchants\//, "cards.controls"],
  ["PATCH", /^\/cards\/:cardId$/, "cards.controls"],
  ["PUT", /^\/settings\/card-authorization$/, "authorization-settings"],
  ["POST", /^\/events\/:eventId\/resend$/, "webhooks"],
  ["POST", /^\/webhook-endpoints(\/|$)/, "webhooks"],
  ["PATCH", /^\/webhook-endpoints\//, "webhooks"],
  ["DELETE", /^\/webhook-endpoints\//, "webhooks"],
];

/** Called when routes are declared: one that no rule fits stops the start, rather than being open. */
export function permissionsFor({
  method,
  path,
}: Pick<GuardedRoute, "method" | "path">): readonly Permission[] {
  const rule = rules.find(([verb, pattern]) => verb === method && pattern.test(path));
  if (rule === undefined) throw new Error(`No permission is set for ${method} ${path}.`);
  const [, , ...permissions] = rule;
  return permissions;
}

/** What the body needs besides: a card that is issued with a balance takes it from the wallet. */
export function permissionsForBody(
  permissions: readonly Permission[],
  body: unknown,
): readonly Permission[] {
  if (!permissions.includes("cards.issue")) return [];
  const { initialBalance } = (body ?? {}) as Record<string, unknown>;
  return initialBalance === undefined || initialBalance === 0 ? [] : ["cards.money"];
}
