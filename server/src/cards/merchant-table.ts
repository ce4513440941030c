import { textArray } from "../db/arrays.ts";
import { copyInto } from "../db/copy.ts";
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

/** Names a merchant on a card's lists. Ids have no blanks, so the parts cannot run together. */
export const merchantKey = (cardId: string, mid: string): string => `${cardId} ${mid}`;

export const cardMerchants: Table<CardMerchant> = {
  name: "card_merchants",
  idOf: ({ cardId, list, mid }) => `${merchantKey(cardId, mid)} ${list}`,
  insert: copyInto<Owned<CardMerchant>>("card_merchants", {
    organization_id: (row) => row.organizationId,
    card_id: (row) => row.cardId,
    list: (row) => row.list,
    mid: (row) => row.mid,
    unblocked: (row) => row.unblocked,
    created_at: (row) => row.createdAt,
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
  remove: (rows) => ({
    name: "card_merchants_remove",
    text: `
      delete from card_merchants m
       using unnest($1::text[], $2::text[], $3::text[], $4::text[]) as k(organization_id, card_id, list, mid)
       where m.organization_id = k.organization_id and m.card_id = k.card_id and m.mid = k.mid
         and m.list = k.list`,
    values: columnsOf(rows).slice(0, 4),
  }),
};

const columnsOf = (rows: Owned<CardMerchant>[]): string[] => [
  textArray(rows.map((row) => row.organizationId)),
  textArray(rows.map((row) => row.cardId)),
  textArray(rows.map((row) => row.list)),
  textArray(rows.map((row) => row.mid)),
  textArray(rows.map((row) => String(row.unblocked))),
];

const MERCHANT_COLUMNS = `
  m.organization_id as "organizationId", m.card_id as "cardId", m.list, m.mid, m.unblocked,
  m.created_at as "createdAt"`;

/** What a card's lists say about one merchant. */
export const merchantOfCard: Load<CardMerchant> = {
  table: cardMerchants,
  keyOf: ({ cardId, mid }) => merchantKey(cardId, mid),
  statement: (keys) => ({
    name: "card_merchants_find",
    text: `
      select ${MERCHANT_COLUMNS}
        from unnest($1::text[], $2::text[]) as k(organization_id, id)
        join card_merchants m on m.organization_id = k.organization_id
         and m.card_id = split_part(k.id, ' ', 1) and m.mid = split_part(k.id, ' ', 2)`,
    values: keyColumns(keys),
  }),
};

/** Both lists of a card. `offset 0` keeps this a look-up for each key, never a join. */
export const merchantsOfCard: Load<CardMerchant> = {
  table: cardMerchants,
  keyOf: ({ cardId }) => cardId,
  statement: (keys) => ({
    name: "card_merchants_of_card",
    text: `
      select ${MERCHANT_COLUMNS} from unnest($1::text[], $2::text[]) as k(organization_id, id)
       cross join lateral (select * from card_merchants
         where organization_id = k.organization_id and card_id = k.id offset 0) m`,
    values: keyColumns(keys),
  }),
};

/** A card's lists as clients see them. */
export interface MerchantLists {
  merchantWhitelist: string[];
  merchantBlacklist: string[];
}

export const NO_MERCHANTS: MerchantLists = { merchantWhitelist: [], merchantBlacklist: [] };

export function listsOf(rows: readonly Pick<CardMerchant, "list" | "mid">[]): MerchantLists {
  const midsOn = (wanted: MerchantList): string[] =>
    rows
      .filter(({ list }) => list === wanted)
      .map(({ mid }) => mid)
      .sort();
  return { merchantWhitelist: midsOn("White"), merchantBlacklist: midsOn("Black") };
}
