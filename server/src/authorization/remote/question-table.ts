import { copyInto, json } from "../../db/copy.ts";
import type { Connection } from "../../db/pool.ts";
import { keyColumns, type Load, type Owned, type Table } from "../../engine/table.ts";
import type { RemoteMessage } from "./message.ts";

/** An authorization that an organization is being asked about. */
export interface Question {
  requestId: string;
  /** The card's own account, whose lock guards this. */
  accountId: string;
  cardId: string;
  /** The advice that would take back what the organization approved. */
  reversal: RemoteMessage;
}

export const questions: Table<Question> = {
  name: "authorization_questions",
  idOf: ({ requestId }) => requestId,
  insert: copyInto<Owned<Question>>("authorization_questions", {
    organization_id: (row) => row.organizationId,
    request_id: (row) => row.requestId,
    account_id: (row) => row.accountId,
    card_id: (row) => row.cardId,
    reversal: (row) => json(row.reversal),
  }),
  // One look-up for each row: a plan made while the table was empty would scan all of it.
  remove: (rows) => ({
    name: "authorization_questions_remove",
    text: `
      delete from authorization_questions q
       using (select found.ctid
                from unnest($1::text[], $2::text[]) as k(organization_id, request_id)
               cross join lateral (select ctid from authorization_questions
                 where organization_id = k.organization_id and request_id = k.request_id limit 1) found) f
       where q.ctid = f.ctid`,
    values: keyColumns(
      rows.map((row) => ({ organizationId: row.organizationId, id: row.requestId })),
    ),
  }),
};

const COLUMNS = `
  q.organization_id as "organizationId", q.request_id as "requestId", q.account_id as "accountId",
  q.card_id as "cardId", q.reversal`;

export const questionById: Load<Question> = {
  table: questions,
  keyOf: ({ requestId }) => requestId,
  statement: (keys) => ({
    name: "authorization_questions_by_id",
    text: `
      select ${COLUMNS} from unnest($1::text[], $2::text[]) as k(organization_id, id)
       cross join lateral (select * from authorization_questions
         where organization_id = k.organization_id and request_id = k.id limit 1) q`,
    values: keyColumns(keys),
  }),
};

/** Questions that nobody can be working on any more. */
export async function findAbandoned(
  db: Connection,
  { olderThanMs, limit }: { olderThanMs: number; limit: number },
): Promise<Owned<Question>[]> {
  const { rows } = await db.query<Owned<Question>>(
    `select ${COLUMNS} from authorization_questions q
      where asked_at < clock_timestamp() - $1 * interval '1 millisecond' order by asked_at limit $2`,
    [olderThanMs, limit],
  );
  return rows;
}
