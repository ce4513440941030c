import { expect, test } from "vitest";
import { type Card, newCounters } from "./card.ts";
import { describeCard } from "./describe.ts";
import { Card as CardSchema } from "./wire.ts";

const cardId = "card_01hzy3v7k9q2m4n6p8r0s2t4v6";

const card: Card = {
  cardId,
  customerId: "cus_01hzy3v7k9q2m4n6p8r0s2t4v6",
  accountId: "acc_1",
  programmeId: "usd-us",
  isGuest: false,
  type: "Retail",
  status: "Active",
  currency: "USD",
  brand: "Visa",
  maskedPan: "411111******1111",
  expiryMonth: 2,
  expiryYear: 2031,
  nameOnCard: "ADA OBI",
  contactlessPayment: false,
  dailyLimitMinor: null,
  transactionLimitMinor: null,
  whiteListedMccs: [],
  blackListedMccs: ["7995"],
  billingAddress: null,
  sharedBalance: false,
  swipeCount: null,
  metadata: {},
  terminationReason: null,
  createdAt: new Date("2026-02-03T04:05:06.007Z"),
  terminatedAt: null,
};

const described = (
  change: Partial<Card> = {},
  money = { postedMinor: 0n, heldMinor: 0n },
  swipesUsed = 0,
) => describeCard({ ...card, ...change }, money, { ...newCounters(card), swipesUsed });

test("a card is what the contract says, and nothing of what is internal", () => {
  expect(described()).toEqual({
    cardId,
    customerId: "cus_01hzy3v7k9q2m4n6p8r0s2t4v6",
    type: "Retail",
    status: "Active",
    currency: "USD",
    brand: "Visa",
    maskedPan: "411111******1111",
    expiryMonth: 2,
    expiryYear: 2031,
    nameOnCard: "ADA OBI",
    balance: 0,
    availableBalance: 0,
    heldAmount: 0,
    contactlessPayment: false,
    cardLimits: {},
    whiteListedMccs: [],
    blackListedMccs: ["7995"],
    merchantWhitelist: [],
    merchantBlacklist: [],
    billingAddress: null,
    sharedBalance: false,
    metadata: {},
    createdAt: "2026-02-03T04:05:06.007Z",
  });
});

test.each<[string, Partial<Card>, { postedMinor: bigint; heldMinor: bigint }, object]>([
  [
    "what is held is not available",
    {},
    { postedMinor: 1050n, heldMinor: 1051n },
    { balance: 10.5, heldAmount: 10.51, availableBalance: -0.01 },
  ],
  [
    "below zero",
    {},
    { postedMinor: -5n, heldMinor: 0n },
    { balance: -0.05, availableBalance: -0.05 },
  ],
  [
    "without decimals",
    { currency: "JPY", dailyLimitMinor: 500n },
    { postedMinor: 100n, heldMinor: 0n },
    { balance: 100, cardLimits: { dailyLimit: 500 } },
  ],
  [
    "limits that there are",
    { transactionLimitMinor: 250n },
    { postedMinor: 0n, heldMinor: 0n },
    { cardLimits: { transactionLimit: 2.5 } },
  ],
])("%s", (_what, change, money, expected) => {
  expect(described(change, money)).toMatchObject(expected);
});

test("a lite card counts its swipes, a terminated one says when and why", () => {
  const lite = described({ type: "Lite", swipeCount: 3 }, undefined, 2);
  expect(lite).toMatchObject({ swipeCount: 3, swipesUsed: 2 });
  const at = new Date("2026-03-01T00:00:00.000Z");
  const closed = described({ status: "Terminated", terminatedAt: at, terminationReason: "Lost" });
  expect(closed).toMatchObject({ terminationReason: "Lost", terminatedAt: at.toISOString() });
});

test("every shape of it is what is documented", () => {
  const address = { country: "NG", state: "Lagos", city: "Lagos", street: "1 Marina Road" };
  const shapes = [
    described(),
    described({ billingAddress: address, metadata: { a: "b" }, dailyLimitMinor: 1n }),
    described({ type: "Lite", swipeCount: 3, status: "Terminated", terminatedAt: new Date() }),
  ];
  for (const shape of shapes) expect(CardSchema.safeParse(shape).error).toBeUndefined();
});
