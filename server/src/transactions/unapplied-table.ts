import { copyInto } from "../db/copy.ts";
import type { Pool } from "../db/pool.ts";
import { keyColumns, type Load, type Owned, type Table } from "../engine/table.ts";
import { DAY_MS } from "../foundation/dates.ts";
import { messageKey } from "./message-key.ts";

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

export const unappliedMessages: Table<UnappliedMessage> = {
  name: "unapplied_messages",
  idOf: ({ requestType, networkReference }) => messageKey(requestType, networkReference),
  insert: copyInto<Owned<UnappliedMessage>>("unapplied_messages", {
    organization_id: (row) => row.organizationId,
    network_reference: (row) => row.networkReference,
    request_type: (row) => row.requestType,
    card_id: (row) => row.cardId,
    response_code: (row) => row.responseCode,
    original_key: (row) => row.originalKey,
    created_at: (row) => row.createdAt,
  }),
};

const COLUMNS = `
  u.organization_id as "organizationId", u.network_reference as "networkReference",
  u.request_type as "requestType", u.card_id as "cardId", u.response_code as "responseCode",
  u.original_key as "originalKey", u.created_at as "createdAt"`;

export const unappliedByName: Load<UnappliedMessage> = {
  table: unappliedMessages,
  keyOf: ({ requestType, networkReference }) => messageKey(requestType, networkReference),
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
         limit 20) u`,
    values: keyColumns(keys),
  }),
};

/** Notes that a message was refused, unless that is noted already, or a repetition has succeeded meanwhile. */
export async function noteRefusal(pool: Pool, row: Owned<UnappliedMessage>): Promise<void> {
  await pool.query(
    `insert into unapplied_messages (organization_id, network_reference, request_type, card_id,
       response_code, original_key, created_at)
     select $1, $2, $3, $4, $5, $6, $7::timestamptz
      where not exists (select from network_messages
        where organization_id = $1 and network_reference = $2 and request_type = $3)
     on conflict do nothing`,
    [
      row.organizationId,
      row.networkReference,
      row.requestType,
      row.cardId,
      row.responseCode,
      row.originalKey,
      row.createdAt,
    ],
  );
}

/** DE 7 has no year: a year later, a new message of the same name would be taken for a repetition. */
export const DAYS_KEPT = 90;
const MAX_FORGOTTEN = 10_000;

export async function forgetUnapplied(pool: Pool, now: Date): Promise<void> {
  await pool.query(
    `delete from unapplied_messages where (organization_id, network_reference, request_type) in (
       select organization_id, network_reference, request_type from unapplied_messages
        where created_at < $1 limit $2)`,
    [new Date(now.getTime() - DAYS_KEPT * DAY_MS), MAX_FORGOTTEN],
  );
}
