/** What every movement of a card's money makes stale. */
export const CARD_MONEY = [
  "/api/v1/transactions",
  "/api/v1/cards",
  "/api/v1/wallets",
  "/dashboard/home",
];
