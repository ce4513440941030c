const MONEY = ["/api/v1/transactions", "/api/v1/cards", "/api/v1/wallets", "/dashboard/home"];

/** What is delivered of any event. To tell it the service looks through much, so it is asked seldom. */
export const DELIVERIES = "/dashboard/webhook-endpoints";

/** What an event of each family makes stale. */
const STALE: Record<string, string[]> = {
  kyc: ["/api/v1/customers", "/api/v1/kyc", "/dashboard/home"],
  card: MONEY,
  transaction: MONEY,
  charge: MONEY,
  wallet: ["/api/v1/wallets", "/dashboard/home"],
  authorization: ["/api/v1/transactions", "/dashboard/home"],
  webhook_endpoint: ["/api/v1/webhook-endpoints"],
};

export function staleAfter(eventType: string): string[] {
  const [family = ""] = eventType.split(".");
  return ["/api/v1/events", ...(STALE[family] ?? [])];
}
