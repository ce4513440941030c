import { textArray, timeArray } from "../db/arrays.ts";
import { keyColumns, type Load, type Owned, type Table } from "../engine/table.ts";

export type MerchantList = "White" | "Black";

/** A merchant on one of a card's lists. */
export interface CardMerchant {
  cardId: string;
  list: MerchantList;
  mid: string;
  /** The next attempt at this blacklisted merchant may pass. */
  unblocked: boolean;
  createdAt: Date;
}

/** Where a merchant stands on a card's lists; a merchant id has no blanks. */
export const merchantKey = (cardId: string, mid: string): string => `${cardId} ${mid}`;

export const cardMerchants: Table<CardMerchant> = {
  name: "card_merchants",
  idOf: ({ cardId, list, mid }) => `${merchantKey(cardId, mid)} ${list}`,
  insert: (rows) => ({
    name: "card_merchants_insert",
    text: `
      insert into card_merchants (organization_id, card_id, list, mid, unblocked, created_at)
      select * from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::bool[], $6::timestamptz[])`,
    values: [...columnsOf(rows), timeArray(rows.map((row) => row.createdAt))],
  }),
  update: (rows) => ({
    name: "card_merchants_update",
    text: `
      update card_merchants m set unblocked = k.unblocked
        from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::bool[])
             as k(organization_id, card_id, list, mid, unblocked)
       where m.organization_id = k.organization_id and m.card_id = k.card_id and m.mid = k.mid
         and m.list = k.list`,
    values: columnsOf(rows),
  }),
};

const columnsOf = (rows: Owned<CardMerchant>[]): string[] => [
  textArray(rows.map((row) => row.organizationId)),
  textArray(rows.map((row) => row.cardId)),
  textArray(rows.map((row) => row.list)),
  textArray(rows.map((row) => row.mid)),
  textArray(rows.map((row) => String(row.unblocked))),
];

/** What a card's lists say about one merchant. */
export const merchantOfCard: Load<CardMerchant> = {
  table: cardMerchants,
  keyOf: ({ cardId, mid }) => merchantKey(cardId, mid),
  statement: (keys) => ({
    name: "card_merchants_find",
    text: `
      select m.organization_id as "organizationId", m.card_id as "cardId", m.list, m.mid, m.unblocked,
             m.created_at as "createdAt"
        from unnest($1::text[], $2::text[]) as k(organization_id, id)
        join card_merchants m on m.organization_id = k.organization_id
         and m.card_id = split_part(k.id, ' ', 1) and m.mid = split_part(k.id, ' ', 2)`,
    values: keyColumns(keys),
  }),
};
