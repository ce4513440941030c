import { expect, test } from "vitest";
import { EVENT_TYPES } from "../events/types.ts";
import { staleAfter } from "./stale.ts";

test.each(EVENT_TYPES)("%s makes more stale than events and their deliveries", (type) => {
  expect(staleAfter(type).length).toBeGreaterThan(2);
});

test("a purchase shows on cards, transactions, wallets and the first screen", () => {
  expect(staleAfter("transaction.authorized")).toEqual([
    "/api/v1/events",
    "/dashboard/webhook-endpoints",
    "/api/v1/transactions",
    "/api/v1/cards",
    "/api/v1/wallets",
    "/dashboard/home",
  ]);
});
