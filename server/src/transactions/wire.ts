import { z } from "zod";
import { messageOf } from "../foundation/codes.ts";
import { isId } from "../foundation/ids.ts";
import { decimalText } from "../foundation/money.ts";
import { pageQuery, rangeQuery } from "../http/pagination.ts";
import { amount, cardId, currency, id, pathId, timestamp } from "../http/schema.ts";
import { type Transaction, transactionStages, transactionTypes } from "./transaction.ts";

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

const Remote = z
  .strictObject({
    durationMs: z.number(),
    timedOut: z.boolean(),
    defaultUsed: z.boolean().meta({ description: "Whether the default decision stood in" }),
    error: z.string().optional().meta({ description: "Why there was no valid answer" }),
    lateDecision: z
      .enum(["Approve", "Decline"])
      .optional()
      .meta({ description: "What came when the decision had fallen" }),
    metadata: z.looseObject({}).optional().meta({ description: "What you wanted noted" }),
  })
  .meta({ id: "RemoteDecision", description: "How asking your own system went" });

export const Decision = z
  .strictObject({
    model: z.enum(["ServiceManaged", "CustomerManaged"]),
    trace: TracedCheck.array(),
    remote: Remote.optional(),
  })
  .meta({
    id: "Decision",
    description: "Every check of an authorization, in order; the first that failed decided",
  });

export const Decided = z
  .strictObject({
    ...transactionFields,
    cardBalance: amount,
    walletBalance: amount.optional(),
    decision: Decision.optional(),
  })
  .meta({ id: "DecidedTransaction", description: "A purchase and how it was decided" });

export const TransactionDetail = z
  .strictObject({ ...transactionFields, decision: Decision.optional() })
  .meta({ id: "Transaction", description: "One payment's whole life" });

/** Text of a query that says yes or no. */
const flag = z
  .enum(["true", "false"])
  .transform((text) => text === "true")
  .meta({ type: "boolean" });

export const TransactionsQuery = z.strictObject({
  ...pageQuery((text) => isId("txn", text)),
  ...rangeQuery,
  cardId: cardId.optional(),
  customerId: id("cus").optional(),
  type: z.enum(transactionTypes).optional(),
  stage: z.enum(transactionStages).optional(),
  currency: currency
    .optional()
    .meta({ description: "The currency of the payment, not of the card" }),
  approved: flag.optional(),
});

export type TransactionsRequest = z.output<typeof TransactionsQuery>;

const csvColumns: [name: string, cell: (transaction: Transaction) => string | null][] = [
  ["transactionId", (t) => t.transactionId],
  ["cardId", (t) => t.cardId],
  ["customerId", (t) => t.customerId],
  ["type", (t) => t.type],
  ["stage", (t) => t.stage],
  ["approved", (t) => String(t.approved)],
  ["responseCode", (t) => t.responseCode],
  ["responseMessage", (t) => messageOf(t.responseCode)],
  ["amount", (t) => decimalText(t.amountMinor, t.currency)],
  ["currency", (t) => t.currency],
  ["billingAmount", (t) => decimalText(t.billingAmountMinor, t.billingCurrency)],
  ["billingCurrency", (t) => t.billingCurrency],
  ["heldAmount", (t) => decimalText(t.heldMinor, t.billingCurrency)],
  ["settledAmount", (t) => decimalText(t.settledMinor, t.billingCurrency)],
  ["reversedAmount", (t) => decimalText(t.reversedMinor, t.billingCurrency)],
  ["refundedAmount", (t) => decimalText(t.refundedMinor, t.billingCurrency)],
  ["overCaptured", (t) => String(t.overCaptured)],
  ["mid", (t) => t.merchant?.mid ?? null],
  ["mcc", (t) => t.merchant?.mcc ?? null],
  ["merchantName", (t) => t.merchant?.name ?? null],
  ["merchantCity", (t) => t.merchant?.city ?? null],
  ["merchantCountry", (t) => t.merchant?.country ?? null],
  ["entryMode", (t) => t.entryMode],
  ["approvalCode", (t) => t.approvalCode],
  ["networkReference", (t) => t.networkReference],
  ["transferId", (t) => t.transferId],
  ["createdAt", (t) => t.createdAt.toISOString()],
  ["updatedAt", (t) => t.updatedAt.toISOString()],
];

export const CSV_HEAD = csvColumns.map(([name]) => name);

/** A transaction as cells, in the order of the head. */
export const cellsOf = (transaction: Transaction): (string | null)[] =>
  csvColumns.map(([, cell]) => cell(transaction));
