import { textArray, timeArray } from "../db/arrays.ts";
import { keyColumns, type Load, type Table } from "../engine/table.ts";
import type { TransactionStage } from "../transactions/transaction.ts";
import type { Message } from "./life.ts";

/** A message that took a payment on, or that was posted without a payment before it. */
export interface NetworkMessage {
  networkReference: string;
  requestType: Message["kind"];
  transactionId: string;
  /** Where it left the payment. */
  stage: TransactionStage;
  createdAt: Date;
}

/** The type comes first, because it never has a blank. */
export const messageKey = (requestType: string, networkReference: string): string =>
  `${requestType} ${networkReference}`;

export const networkMessages: Table<NetworkMessage> = {
  name: "network_messages",
  idOf: ({ requestType, networkReference }) => messageKey(requestType, networkReference),
  insert: (rows) => ({
    name: "network_messages_insert",
    text: `
      insert into network_messages (organization_id, network_reference, request_type, transaction_id,
        stage, created_at)
      select * from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::timestamptz[])`,
    values: [
      textArray(rows.map((row) => row.organizationId)),
      textArray(rows.map((row) => row.networkReference)),
      textArray(rows.map((row) => row.requestType)),
      textArray(rows.map((row) => row.transactionId)),
      textArray(rows.map((row) => row.stage)),
      timeArray(rows.map((row) => row.createdAt)),
    ],
  }),
};

export const messageByKey: Load<NetworkMessage> = {
  table: networkMessages,
  keyOf: ({ requestType, networkReference }) => messageKey(requestType, networkReference),
  statement: (keys) => ({
    name: "network_messages_by_key",
    text: `
      select m.organization_id as "organizationId", m.network_reference as "networkReference",
             m.request_type as "requestType", m.transaction_id as "transactionId", m.stage,
             m.created_at as "createdAt"
        from unnest($1::text[], $2::text[]) as k(organization_id, id)
       cross join lateral (select * from network_messages
         where organization_id = k.organization_id
           and network_reference = substr(k.id, strpos(k.id, ' ') + 1)
           and request_type = split_part(k.id, ' ', 1) limit 1) m`,
    values: keyColumns(keys),
  }),
};
