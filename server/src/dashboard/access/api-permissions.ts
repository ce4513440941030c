import type { GuardedRoute } from "../../http/app.ts";
import type { Permission } from "./roles.ts";

/** What a route of the API asks of a person: a permission, or only to be one. */
export type ApiPermission = Permission | "Read";

type Rule = [method: string, path: RegExp, permission: ApiPermission];

/** In order: the first that fits counts. */
const rules: readonly Rule[] = [
  ["GET", /^\/cards\/:cardId\/secure$/, "cards.reveal"],
  ["GET", /./, "Read"],
  ["POST", /^\/authorizations\/dry-run$/, "Read"],
  ["POST", /^\/simulator\//, "sandbox"],
  ["POST", /^\/kyc\//, "kyc"],
  ["POST", /^\/cards\/(retail|corporate|lite|reissue)$/, "cards.issue"],
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

/** Asked when routes are declared: one that nobody thought of stops the start, rather than being open. */
export function permissionFor({ method, path }: GuardedRoute): ApiPermission {
  const rule = rules.find(([verb, pattern]) => verb === method && pattern.test(path));
  if (rule === undefined) throw new Error(`No permission is set for ${method} ${path}.`);
  return rule[2];
}
