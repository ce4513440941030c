import { expect, test } from "vitest";
import { bodyOf, errorsOf, initialOrder, type Order } from "./order.ts";

const order = (change: Partial<Order>): Order => ({ ...initialOrder("cus_1"), ...change });

test.each([
  ["an empty form", {}, { customerId: "cus_1", currency: "USD", contactlessPayment: false }],
  [
    "a filled form",
    {
      currency: "NGN",
      initialBalance: "10.5",
      nameOnCard: " ADA ",
      dailyLimit: "1,000",
      contactlessPayment: true,
    },
    {
      customerId: "cus_1",
      currency: "NGN",
      contactlessPayment: true,
      initialBalance: 10.5,
      nameOnCard: "ADA",
      cardLimits: { dailyLimit: 1000 },
    },
  ],
  // A Lite card takes neither a name nor contactless payments.
  [
    "a Lite card",
    { kind: "lite", balance: "50", swipeCount: 3, nameOnCard: "ADA", contactlessPayment: true },
    { customerId: "cus_1", currency: "USD", balance: 50, swipeCount: 3 },
  ],
  // It has the currency of the card that it follows. Shared: the original is named and no balance may be; own: the other way round.
  [
    "a shared re-issue",
    { kind: "reissue", cardId: "card_1", initialBalance: "5" },
    { customerId: "cus_1", contactlessPayment: false, sharedBalance: true, cardId: "card_1" },
  ],
  [
    "a re-issue of its own",
    { kind: "reissue", cardId: "card_1", sharesBalance: false, initialBalance: "5" },
    { customerId: "cus_1", contactlessPayment: false, sharedBalance: false, initialBalance: 5 },
  ],
] as [string, Partial<Order>, object][])("%s", (_name, change, body) => {
  expect(bodyOf(order(change))).toEqual(body);
});

test.each([
  ["an empty form", {}, []],
  ["a balance of 0", { initialBalance: "0" }, []],
  [
    "less than nothing",
    { initialBalance: "-5", dailyLimit: "1e3" },
    ["initialBalance", "dailyLimit"],
  ],
  ["a limit of nothing", { transactionLimit: "0" }, ["transactionLimit"]],
  ["a Lite card without a balance", { kind: "lite" }, ["balance"]],
  // What is not shown is not sent, and so not judged.
  ["a Lite card after another", { kind: "lite", balance: "50", initialBalance: "-5" }, []],
  ["a shared re-issue", { kind: "reissue", initialBalance: "-5" }, []],
] as [string, Partial<Order>, string[]][])(
  "of %s these fields are refused",
  (_name, change, fields) => {
    const errors = errorsOf(order(change));
    expect(Object.keys(errors).filter((name) => errors[name] !== null)).toEqual(fields);
  },
);
