import { z } from "zod";
import { amount, currency, id, timestamp } from "../../http/schema.ts";

export const CrossBorderCharge = z
  .strictObject({
    chargeId: id("chg"),
    cardId: id("card"),
    transactionId: id("txn").meta({ description: "The purchase that is charged for" }),
    amount,
    currency,
    status: z.enum(["Pending", "Collected"]),
    createdAt: timestamp,
    collectedAt: timestamp.optional(),
  })
  .meta({
    id: "CrossBorderCharge",
    description: "What a purchase outside the programme's country costs on top",
  });

export const ReprocessedCharges = z.strictObject({
  collected: CrossBorderCharge.array(),
  pending: CrossBorderCharge.array(),
  cardBalance: amount,
});
