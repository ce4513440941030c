import { CARD_MONEY } from "../cards/changes.ts";

/** Any event may change these, but they are slow to list, so they are asked for seldom. */
export const DELIVERIES = "/dashboard/webhook-endpoints";

/** What an event of each family makes stale. */
const STALE: Record<string, string[]> = {
  kyc: ["/api/v1/customers", "/api/v1/kyc", "/dashboard/home"],
  card: CARD_MONEY,
  transaction: CARD_MONEY,
  charge: CARD_MONEY,
  wallet: ["/api/v1/wallets", "/dashboard/home"],
  authorization: ["/api/v1/transactions", "/dashboard/home"],
  webhook_endpoint: ["/api/v1/webhook-endpoints"],
};

export function staleAfter(eventType: string): string[] {
  const [family = ""] = eventType.split(".");
  return ["/api/v1/events", ...(STALE[family] ?? [])];
}
