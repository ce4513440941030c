import type { ManyQuery } from "../../db/reads.ts";
import { scopedColumns, scopedKey } from "../../db/scoped-key.ts";
import { PAYMENT_COLUMNS, type PaymentFacts } from "../../transactions/facts.ts";
import {
  type OriginalIndex,
  originalKeyOf,
  originalsFrom,
} from "../../transactions/iso-originals.ts";

/** Names a card for questions about its payments. */
export interface CardKey {
  organizationId: string;
  cardId: string;
}

/** A payment that a later message may be about. */
export interface Candidate extends PaymentFacts {
  organizationId: string;
  networkReference: string;
  approved: boolean;
  heldMinor: bigint;
  settledMinor: bigint;
  refundedMinor: bigint;
}

function candidatesBy(index: OriginalIndex): ManyQuery<string, Candidate> {
  return {
    statement: (keys) => ({
      name: `candidates_by_${index}`,
      text: `
        select ${PAYMENT_COLUMNS}, t.network_reference as "networkReference", t.approved,
               t.held_minor as "heldMinor", t.settled_minor as "settledMinor",
               t.refunded_minor as "refundedMinor"
          from ${originalsFrom(index)}`,
      values: scopedColumns(keys),
    }),
    keyOf: (found) => scopedKey(found.organizationId, originalKeyOf(index, found)),
  };
}

/** Payments of a card, the latest first, by an organization, a card and what a message calls its original. */
export const candidatesByTrace = candidatesBy("trace");
export const candidatesByRetrieval = candidatesBy("retrieval");

interface NamedMessage {
  organizationId: string;
  requestType: string;
  networkReference: string;
}

export const messageKeyOf = ({
  organizationId,
  requestType,
  networkReference,
}: NamedMessage): string => scopedKey(organizationId, `${requestType} ${networkReference}`);

const MESSAGE_COLUMNS = `
  m.organization_id as "organizationId", m.request_type as "requestType",
  m.network_reference as "networkReference"`;

const messagesFrom = (table: string): string => `
  unnest($1::text[], $2::text[]) as k(organization_id, id)
   cross join lateral (select * from ${table}
     where organization_id = k.organization_id
       and network_reference = substr(k.id, strpos(k.id, ' ') + 1)
       and request_type = split_part(k.id, ' ', 1) limit 1) m`;

/** The payment that a message took on or began, by an organization, a request type and a name. */
export const paymentOfMessage: ManyQuery<string, NamedMessage & { transactionId: string }> = {
  statement: (keys) => ({
    name: "payment_of_message",
    text: `select ${MESSAGE_COLUMNS}, m.transaction_id as "transactionId"
             from ${messagesFrom("network_messages")}`,
    values: scopedColumns(keys),
  }),
  keyOf: messageKeyOf,
};

/** What was answered to a message that changed no payment. */
export const unappliedAnswer: ManyQuery<
  string,
  NamedMessage & { cardId: string; responseCode: string }
> = {
  statement: (keys) => ({
    name: "unapplied_answer",
    text: `select ${MESSAGE_COLUMNS}, m.card_id as "cardId", m.response_code as "responseCode"
             from ${messagesFrom("unapplied_messages")}`,
    values: scopedColumns(keys),
  }),
  keyOf: messageKeyOf,
};

/** A payment whose message settled it, too, by an organization and a transaction. */
export const settledAtOnce: ManyQuery<string, { organizationId: string; transactionId: string }> = {
  statement: (keys) => ({
    name: "settled_at_once",
    text: `
      select t.organization_id as "organizationId", t.transaction_id as "transactionId"
        from unnest($1::text[], $2::text[]) as k(organization_id, id)
       cross join lateral (select * from transactions
         where organization_id = k.organization_id and transaction_id = k.id
           and type <> 'Settlement' limit 1) t
       where exists (select from network_messages m
         where m.organization_id = t.organization_id and m.network_reference = t.network_reference
           and m.request_type = 'Settlement' and m.transaction_id = t.transaction_id)`,
    values: scopedColumns(keys),
  }),
  keyOf: ({ organizationId, transactionId }) => scopedKey(organizationId, transactionId),
};
