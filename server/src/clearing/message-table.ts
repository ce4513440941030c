import { copyInto } from "../db/copy.ts";
import { keyColumns, type Load, type Owned, type Table } from "../engine/table.ts";
import { messageKey } from "../transactions/message-key.ts";
import type { TransactionStage } from "../transactions/transaction.ts";
import type { Message, Step } from "./life.ts";

/** A message that took a payment on, or that was posted without a payment before it. */
export interface NetworkMessage {
  networkReference: string;
  requestType: Step["requestType"];
  transactionId: string;
  /** Where it left the payment. */
  stage: TransactionStage;
  /** In the payment's own currency; null for messages recorded before amounts were. */
  amountMinor: bigint | null;
  /** It only confirmed what a clearing file had posted before, and moved nothing. */
  confirms: boolean;
  createdAt: Date;
}

/** As what a message is on record. A reversal is one, also where it gives back what was settled. */
export const requestTypeOf = (message: Message): Message["kind"] =>
  message.kind === "Refund" && message.isReversal === true ? "Reversal" : message.kind;

/**
 * As what a step is on record. A network says in DE 95 what shall remain, and names no two messages alike: its
 * reversals of a part are on record as reversals.
 */
export const requestTypeOfStep = (message: Message, { requestType }: Step): Step["requestType"] =>
  requestType === "PartialReversal" && isOfAmount(message) ? requestType : requestTypeOf(message);

/**
 * As what a message may be on record. Whether an amount is a part of what is held is known when it is taken; and a
 * reversal that gives back what was settled was once a refund.
 */
export const requestTypesOf = (message: Message): Step["requestType"][] =>
  isOfAmount(message)
    ? ["PartialReversal", "Reversal"]
    : [...new Set([requestTypeOf(message), message.kind])];

/** Whether a message is the one on record. What is a refund there with its amount is a refund. */
export const isRecordOf = (
  message: Message,
  { requestType, amountMinor }: NetworkMessage,
): boolean =>
  requestType !== "Refund" || requestTypeOf(message) === "Refund" || amountMinor === null;

const isOfAmount = (message: Message): boolean =>
  message.kind === "Reversal" &&
  message.amountMinor !== undefined &&
  message.remainingMinor === undefined;

export const networkMessages: Table<NetworkMessage> = {
  name: "network_messages",
  idOf: ({ requestType, networkReference }) => messageKey(requestType, networkReference),
  insert: copyInto<Owned<NetworkMessage>>("network_messages", {
    organization_id: (row) => row.organizationId,
    network_reference: (row) => row.networkReference,
    request_type: (row) => row.requestType,
    transaction_id: (row) => row.transactionId,
    stage: (row) => row.stage,
    amount_minor: (row) => row.amountMinor,
    confirms: (row) => row.confirms,
    created_at: (row) => row.createdAt,
  }),
};

const MESSAGE_COLUMNS = `
  m.organization_id as "organizationId", m.network_reference as "networkReference",
  m.request_type as "requestType", m.transaction_id as "transactionId", m.stage,
  m.amount_minor as "amountMinor", m.confirms, m.created_at as "createdAt"`;

export const messageByKey: Load<NetworkMessage> = {
  table: networkMessages,
  keyOf: ({ requestType, networkReference }) => messageKey(requestType, networkReference),
  statement: (keys) => ({
    name: "network_messages_by_key",
    text: `
      select ${MESSAGE_COLUMNS} from unnest($1::text[], $2::text[]) as k(organization_id, id)
       cross join lateral (select * from network_messages
         where organization_id = k.organization_id
           and network_reference = substr(k.id, strpos(k.id, ' ') + 1)
           and request_type = split_part(k.id, ' ', 1) limit 1) m`,
    values: keyColumns(keys),
  }),
};

export const messagesOfPaymentKey = (kind: string, transactionId: string): string =>
  `${kind} ${transactionId}`;

/** The messages that settled a payment, or those that refunded it, as the kind in the key says. */
export const messagesOfPayment: Load<NetworkMessage> = {
  table: networkMessages,
  keyOf: ({ requestType, transactionId }) => messagesOfPaymentKey(requestType, transactionId),
  statement: (keys) => ({
    name: "network_messages_of_payment",
    // Such a message leaves the payment at the stage of its own kind, so that the index on stages can be used.
    text: `
      select ${MESSAGE_COLUMNS} from unnest($1::text[], $2::text[]) as k(organization_id, id)
       cross join lateral (select * from network_messages
         where organization_id = k.organization_id and stage <> 'Authorization'
           and stage = split_part(k.id, ' ', 1) and request_type = stage
           and transaction_id = split_part(k.id, ' ', 2) offset 0) m`,
    values: keyColumns(keys),
  }),
};
