import { expect, test } from "vitest";
import { EVENT_TYPES } from "../events/types.ts";
import { staleAfter } from "./stale.ts";

test.each(EVENT_TYPES)("%s makes more stale than events", (type) => {
  expect(staleAfter(type).length).toBeGreaterThan(1);
});

test("a purchase shows on cards, transactions, wallets and the first screen", () => {
  expect(staleAfter("transaction.authorized")).toEqual([
    "/api/v1/events",
    "/api/v1/transactions",
    "/api/v1/cards",
    "/api/v1/wallets",
    "/dashboard/home",
  ]);
});
