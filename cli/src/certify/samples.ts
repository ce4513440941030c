import { randomBytes } from "node:crypto";

const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";

/** An id of the service's form that means nothing to anybody. */
export function sampleId(prefix: string): string {
  return `${prefix}_${Array.from(randomBytes(26), (byte) => ALPHABET[byte & 31]).join("")}`;
}

export interface SampleEvent {
  eventId: string;
  eventType: string;
  createdAt: string;
  sequence: number | null;
  data: Record<string, unknown>;
}

/** A card as events tell of it. */
function sampleCard(cardId: string, status: string): Record<string, unknown> {
  return {
    cardId,
    customerId: "cus_00000000000000000000000000",
    type: "Retail",
    status,
    currency: "USD",
    brand: "Visa",
    maskedPan: "411111******1111",
    expiryMonth: 12,
    expiryYear: 2035,
    nameOnCard: "ADA OBI",
    balance: 100,
    availableBalance: 100,
    heldAmount: 0,
    contactlessPayment: false,
    cardLimits: {},
    whiteListedMccs: [],
    blackListedMccs: [],
    merchantWhitelist: [],
    merchantBlacklist: [],
    billingAddress: null,
    sharedBalance: false,
    metadata: {},
    createdAt: "2026-01-31T12:00:00.000Z",
  };
}

const STORY = [
  ["card.issued", "Active"],
  ["card.frozen", "Frozen"],
  ["card.unfrozen", "Active"],
] as const;

/** The beginning of a card's life: issued, frozen, unfrozen. */
export function cardStory(cardId: string): [SampleEvent, SampleEvent, SampleEvent] {
  const events = STORY.map(([eventType, status], index) => ({
    eventId: sampleId("evt"),
    eventType,
    createdAt: new Date(Date.now() - (STORY.length - index) * 1000).toISOString(),
    sequence: index + 1,
    data: sampleCard(cardId, status),
  }));
  return events as [SampleEvent, SampleEvent, SampleEvent];
}

/** What the service asks, or tells, a client that decides for itself. */
export function sampleQuestion(
  requestType: string,
  change: Record<string, unknown> = {},
): Record<string, unknown> {
  return {
    requestType,
    requestId: sampleId("req"),
    transactionId: sampleId("txn"),
    cardId: sampleId("card"),
    customerId: sampleId("cus"),
    amount: 25.5,
    currency: "USD",
    billingAmount: 25.5,
    billingCurrency: "USD",
    merchant: { mid: "SHOP1", mcc: "5411", name: "Shop", city: "Austin", country: "US" },
    entryMode: "Chip",
    createdAt: new Date().toISOString(),
    ...change,
  };
}
