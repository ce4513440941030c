import { expect, test } from "vitest";
import { readProgrammes } from "../../programmes/read.ts";
import { type CardOrder, newCard } from "./new-card.ts";
import { readSettings, supportedProgramme } from "./rules.ts";

const programme = supportedProgramme(readProgrammes(undefined), "NGN");
const order: CardOrder = {
  customerId: "cus_1",
  type: "Retail",
  programme,
  nameOnCard: "ADA OBI",
  billingAddress: null,
  settings: readSettings({ cardLimits: { dailyLimit: 5 } }, "NGN"),
  swipeCount: null,
};
const making = { cardId: "card_1", accountId: "acc_1", maskedPan: "x", isGuest: false };

test("a new card follows its order and its programme", () => {
  const now = new Date("2026-05-06T07:08:09.010Z");
  expect(newCard(order, { ...making, now })).toEqual({
    ...making,
    customerId: "cus_1",
    type: "Retail",
    status: "Active",
    programmeId: "ngn-ng",
    currency: "NGN",
    brand: "Verve",
    expiryMonth: 5,
    expiryYear: 2026 + programme.expiryYears,
    nameOnCard: "ADA OBI",
    contactlessPayment: false,
    dailyLimitMinor: 500n,
    transactionLimitMinor: null,
    whiteListedMccs: [],
    blackListedMccs: [],
    billingAddress: null,
    sharedBalance: false,
    swipeCount: null,
    metadata: {},
    terminationReason: null,
    createdAt: now,
    terminatedAt: null,
  });
});

test.each([
  ["2026-01-01T00:00:00.000Z", 3, 1, 2029],
  ["2026-12-31T23:59:59.999Z", 3, 12, 2029],
  ["2024-02-29T12:00:00.000Z", 1, 2, 2025],
  ["2026-07-31T23:30:00.000-02:00", 5, 8, 2031], // in UTC it is August already
])("made at %s for %i years it is good until %i/%i", (at, expiryYears, month, year) => {
  const limited = { ...order, programme: { ...programme, expiryYears } };
  expect(newCard(limited, { ...making, now: new Date(at) })).toMatchObject({
    expiryMonth: month,
    expiryYear: year,
  });
});
