const MONEY = ["/api/v1/transactions", "/api/v1/cards", "/api/v1/wallets", "/dashboard/home"];

/** The event itself, and what is delivered of it. */
const ALWAYS = ["/api/v1/events", "/dashboard/webhook-endpoints"];

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
  return [...ALWAYS, ...(STALE[family] ?? [])];
}
