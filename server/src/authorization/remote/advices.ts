import { jsonList, textArray, timeArray } from "../../db/arrays.ts";
import type { RowChange, Table } from "../../engine/table.ts";
import { insert } from "../../engine/table.ts";
import { formatAmount } from "../../foundation/money.ts";
import type { Transaction } from "../../transactions/transaction.ts";
import { type AdviceType, adviceTypes, type RemoteMessage } from "./message.ts";

/** Something that an organization has to be told of a payment that it decided. */
export interface Advice {
  requestId: string;
  cardId: string;
  message: RemoteMessage;
  createdAt: Date;
}

/** Each card with advices has a row in the queue; inserting an advice adds that row, or keeps the one there. */
export const advices: Table<Advice> = {
  name: "authorization_advices",
  idOf: ({ requestId }) => requestId,
  insert: (rows) => ({
    name: "authorization_advices_insert",
    text: `
      with added as (
        insert into authorization_advices (organization_id, request_id, card_id, created_at, message)
        select k.* from rows from (
          unnest($1::text[], $2::text[], $3::text[], $4::timestamptz[]),
          json_array_elements($5::json)) as k)
      insert into authorization_advice_queues as q (organization_id, card_id, due_at)
      select organization_id, card_id, min(due_at)
        from unnest($1::text[], $3::text[], $4::timestamptz[]) as k(organization_id, card_id, due_at)
       group by organization_id, card_id
      -- Takes the lock of the place, so that no worker removes it as empty meanwhile.
      on conflict (organization_id, card_id) do update set due_at = q.due_at`,
    values: [
      textArray(rows.map((row) => row.organizationId)),
      textArray(rows.map((row) => row.requestId)),
      textArray(rows.map((row) => row.cardId)),
      timeArray(rows.map((row) => row.createdAt)),
      jsonList(rows.map((row) => row.message)),
    ],
  }),
};

/** Has an organization told of something that happens now. */
export function advise(what: Omit<RemoteMessage, "createdAt">, now: Date): RowChange {
  const { requestId, cardId } = what;
  const message = { ...what, createdAt: now.toISOString() };
  return insert<Advice>(advices, { requestId, cardId, message, createdAt: now });
}

/** The advice of what has just happened to a payment, if it is of a kind that is told. */
export function adviceOf(
  transaction: Transaction,
  { requestId, billingAmountMinor }: { requestId: string; billingAmountMinor: bigint },
  now: Date,
): RowChange[] {
  const { currency, billingCurrency } = transaction;
  const happened = transaction.events.at(-1);
  if (happened === undefined || !isAdviceType(happened.requestType)) return [];
  const what = {
    requestType: happened.requestType,
    requestId,
    transactionId: transaction.transactionId,
    cardId: transaction.cardId,
    customerId: transaction.customerId,
    amount: happened.amount,
    currency,
    billingAmount: formatAmount(billingAmountMinor, billingCurrency),
    billingCurrency,
    merchant: transaction.merchant,
    entryMode: transaction.entryMode,
  };
  return [advise(what, now)];
}

const isAdviceType = (type: string): type is AdviceType =>
  (adviceTypes as readonly string[]).includes(type);
