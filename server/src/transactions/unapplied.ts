import { textArray, timeArray } from "../db/arrays.ts";
import type { Pool } from "../db/pool.ts";
import { keyColumns, type Load, type Owned, type Table } from "../engine/table.ts";

/** A message about a payment that changed none: it was refused, or it is a reversal that came too early. */
export interface UnappliedMessage {
  networkReference: string;
  requestType: "Settlement" | "Reversal" | "Refund";
  cardId: string;
  responseCode: string;
  /** Of an early reversal: what it reverses, see iso-name. */
  originalKey: string | null;
  createdAt: Date;
}

/** The type comes first, because it never has a blank. */
export const unappliedKey = (requestType: string, networkReference: string): string =>
  `${requestType} ${networkReference}`;

const insertStatement = (rows: Owned<UnappliedMessage>[]) => ({
  name: "unapplied_messages_insert",
  text: `
    insert into unapplied_messages (organization_id, network_reference, request_type, card_id,
      response_code, original_key, created_at)
    select * from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[],
                         $7::timestamptz[])`,
  values: [
    textArray(rows.map((row) => row.organizationId)),
    textArray(rows.map((row) => row.networkReference)),
    textArray(rows.map((row) => row.requestType)),
    textArray(rows.map((row) => row.cardId)),
    textArray(rows.map((row) => row.responseCode)),
    textArray(rows.map((row) => row.originalKey)),
    timeArray(rows.map((row) => row.createdAt)),
  ],
});

export const unappliedMessages: Table<UnappliedMessage> = {
  name: "unapplied_messages",
  idOf: ({ requestType, networkReference }) => unappliedKey(requestType, networkReference),
  insert: insertStatement,
};

const COLUMNS = `
  u.organization_id as "organizationId", u.network_reference as "networkReference",
  u.request_type as "requestType", u.card_id as "cardId", u.response_code as "responseCode",
  u.original_key as "originalKey", u.created_at as "createdAt"`;

export const unappliedByName: Load<UnappliedMessage> = {
  table: unappliedMessages,
  keyOf: ({ requestType, networkReference }) => unappliedKey(requestType, networkReference),
  statement: (keys) => ({
    name: "unapplied_messages_by_name",
    text: `
      select ${COLUMNS} from unnest($1::text[], $2::text[]) as k(organization_id, id)
       cross join lateral (select * from unapplied_messages
         where organization_id = k.organization_id
           and network_reference = substr(k.id, strpos(k.id, ' ') + 1)
           and request_type = split_part(k.id, ' ', 1) limit 1) u`,
    values: keyColumns(keys),
  }),
};

export const earlyReversalKey = (cardId: string, originalKey: string): string =>
  `${cardId} ${originalKey}`;

/** The reversals of a card that came before what they reverse. */
export const earlyReversals: Load<UnappliedMessage> = {
  table: unappliedMessages,
  keyOf: ({ cardId, originalKey }) => earlyReversalKey(cardId, originalKey ?? ""),
  statement: (keys) => ({
    name: "unapplied_messages_by_original",
    text: `
      select ${COLUMNS} from unnest($1::text[], $2::text[]) as k(organization_id, id)
       cross join lateral (select * from unapplied_messages
         where organization_id = k.organization_id and card_id = split_part(k.id, ' ', 1)
           and original_key = substr(k.id, strpos(k.id, ' ') + 1) and original_key is not null
         limit 1) u`,
    values: keyColumns(keys),
  }),
};

/** Notes that a message was refused; whoever noted the same message before has said it. */
export async function noteRefusal(pool: Pool, row: Owned<UnappliedMessage>): Promise<void> {
  const { text, values } = insertStatement([row]);
  await pool.query(`${text} on conflict do nothing`, values);
}

/** DE 7 has no year, so that what is not forgotten in time would be taken for something new. */
const KEPT_DAYS = 90;
const MAX_FORGOTTEN = 10_000;

export async function forgetUnapplied(pool: Pool, now: Date): Promise<void> {
  await pool.query(
    `delete from unapplied_messages where (organization_id, network_reference, request_type) in (
       select organization_id, network_reference, request_type from unapplied_messages
        where created_at < $1 limit $2)`,
    [new Date(now.getTime() - KEPT_DAYS * 86_400_000), MAX_FORGOTTEN],
  );
}
