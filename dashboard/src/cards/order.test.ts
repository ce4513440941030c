import { expect, test } from "vitest";
import { bodyOf, initialOrder, type Order } from "./order.ts";

const order = (change: Partial<Order>): Order => ({ ...initialOrder("cus_1"), ...change });

test.each([
  ["an empty form", {}, { customerId: "cus_1", contactlessPayment: false }],
  [
    "a filled form",
    { initialBalance: 10.5, nameOnCard: " ADA ", dailyLimit: 100, contactlessPayment: true },
    {
      customerId: "cus_1",
      contactlessPayment: true,
      initialBalance: 10.5,
      nameOnCard: "ADA",
      cardLimits: { dailyLimit: 100 },
    },
  ],
  // A Lite card takes neither a name nor contactless payments.
  [
    "a Lite card",
    { kind: "lite", balance: 50, swipeCount: 3, nameOnCard: "ADA", contactlessPayment: true },
    { customerId: "cus_1", balance: 50, swipeCount: 3 },
  ],
  // Shared: the original is named and no balance may be; own: the other way round.
  [
    "a shared re-issue",
    { kind: "reissue", cardId: "card_1", initialBalance: 5 },
    { customerId: "cus_1", contactlessPayment: false, sharedBalance: true, cardId: "card_1" },
  ],
  [
    "a re-issue of its own",
    { kind: "reissue", cardId: "card_1", sharesBalance: false, initialBalance: 5 },
    { customerId: "cus_1", contactlessPayment: false, sharedBalance: false, initialBalance: 5 },
  ],
] as [string, Partial<Order>, object][])("%s", (_name, change, body) => {
  expect(bodyOf(order(change))).toEqual(body);
});
