import { z } from "zod";
import { Address } from "../http/address.ts";
import { amount, currency, id, pathId, timestamp } from "../http/schema.ts";
import { cardStatuses, cardTypes } from "./card.ts";

export const CardPath = z.strictObject({ cardId: pathId("card") });

const mccs = z.string().array();
const mids = z.string().array();

/** The fields of a card, for answers that add to them. */
export const cardFields = {
  cardId: id("card"),
  customerId: id("cus"),
  type: z.enum(cardTypes),
  status: z.enum(cardStatuses),
  currency,
  brand: z.string().meta({ examples: ["Visa"] }),
  maskedPan: z.string().meta({
    description: "The first six and the last four digits of the card number",
    examples: ["411111******1234"],
  }),
  expiryMonth: z.int().min(1).max(12),
  expiryYear: z.int().meta({ description: "Four digits", examples: [2029] }),
  nameOnCard: z.string().meta({ examples: ["ADA OBI"] }),
  balance: amount,
  availableBalance: amount,
  heldAmount: amount.meta({ description: "Reserved by authorizations that are not settled yet" }),
  contactlessPayment: z.boolean(),
  cardLimits: z.strictObject({
    dailyLimit: amount.optional(),
    transactionLimit: amount.optional(),
  }),
  whiteListedMccs: mccs,
  blackListedMccs: mccs,
  merchantWhitelist: mids,
  merchantBlacklist: mids,
  billingAddress: Address.nullable(),
  sharedBalance: z.boolean().meta({ description: "Whether other cards spend the same balance" }),
  swipeCount: z.int().optional().meta({ description: "Lite cards: how many purchases it allows" }),
  swipesUsed: z.int().optional().meta({ description: "Lite cards: how many it has made" }),
  metadata: z.record(z.string(), z.string()),
  terminationReason: z.string().optional(),
  createdAt: timestamp,
  terminatedAt: timestamp.optional(),
};

export const Card = z
  .strictObject(cardFields)
  .meta({ id: "Card", description: "A card, its settings and what it can spend" });
