import { z } from "zod";
import { amount, currency, id, pathId, timestamp } from "../http/schema.ts";
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

export const TransactionPath = z.strictObject({ transactionId: pathId("txn") });

const TracedCheck = z.strictObject({
  check: z.string(),
  result: z.enum(["Pass", "Fail", "Skipped"]),
  responseCode: z.string().optional(),
  us: z.number().meta({ description: "Microseconds" }),
});

export const Decision = z
  .strictObject({
    model: z.enum(["ServiceManaged", "CustomerManaged"]),
    trace: TracedCheck.array(),
    remote: z.looseObject({}).optional(),
  })
  .meta({
    id: "Decision",
    description: "Every check of an authorization, in order; the first that failed decided",
  });

export const Decided = z
  .strictObject({ ...transactionFields, cardBalance: amount, decision: Decision.optional() })
  .meta({ id: "DecidedTransaction", description: "A purchase and how it was decided" });

export const TransactionDetail = z
  .strictObject({ ...transactionFields, decision: Decision.optional() })
  .meta({ id: "Transaction", description: "One payment's whole life" });
