import { z } from "zod";
import { amount, currency, id, timestamp } from "../http/schema.ts";
import { transactionStages, transactionTypes } from "./transaction.ts";

const Merchant = z
  .strictObject({
    mid: z.string(),
    mcc: z.string(),
    name: z.string(),
    city: z.string(),
    country: z.string(),
  })
  .meta({ id: "Merchant", description: "Where a purchase was made" });

const TransactionEvent = z
  .strictObject({
    requestType: z.string(),
    amount,
    responseCode: z.string(),
    at: timestamp,
  })
  .meta({ id: "TransactionEvent", description: "One message in the life of a payment" });

/** The fields of a transaction, for answers that add to them. */
export const transactionFields = {
  transactionId: id("txn"),
  cardId: id("card"),
  customerId: id("cus"),
  type: z.enum(transactionTypes),
  stage: z.enum(transactionStages),
  approved: z.boolean(),
  responseCode: z.string(),
  responseMessage: z.string(),
  amount,
  currency,
  billingAmount: amount,
  billingCurrency: currency,
  heldAmount: amount,
  settledAmount: amount,
  reversedAmount: amount,
  refundedAmount: amount,
  overCaptured: z.boolean(),
  merchant: Merchant.nullable(),
  entryMode: z.string().nullable(),
  approvalCode: z.string().nullable(),
  networkReference: z.string().nullable(),
  transferId: z.string().optional(),
  events: TransactionEvent.array(),
  createdAt: timestamp,
  updatedAt: timestamp,
};
