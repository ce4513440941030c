import type { Connection } from "../../db/pool.ts";
import type { ManyQuery } from "../../db/reads.ts";
import { scopedColumns, scopedKey } from "../../db/scoped-key.ts";
import type { Owned } from "../../engine/table.ts";
import type { Card, CardSecrets } from "../card.ts";
import type { CardMoney } from "../describe.ts";
import type { MerchantLists } from "../merchant-table.ts";
import { CARD_COLUMNS } from "../tables.ts";

/** A card with what its account has and what it has counted. */
export interface ShownCard extends Owned<Card>, CardMoney, MerchantLists {
  swipesUsed: number;
}

export const SHOWN_COLUMNS = `${CARD_COLUMNS},
  a.posted_minor as "postedMinor", a.held_minor as "heldMinor", n.swipes_used as "swipesUsed",
  m.white as "merchantWhitelist", m.black as "merchantBlacklist"`;

/** What belongs to a card `c`. */
export const SHOWN_JOINS = `
  cross join lateral (select posted_minor, held_minor, kept from accounts
    where organization_id = c.organization_id and account_id = c.account_id limit 1) a
  cross join lateral (select coalesce(max((counted ->> 'swipes')::int), 0) as swipes_used
    from json_array_elements(case when c.swipe_count is not null then a.kept -> 'counters' end) counted) n
  cross join lateral (
    select coalesce(array_agg(mid order by mid) filter (where list = 'White'), '{}') as white,
           coalesce(array_agg(mid order by mid) filter (where list = 'Black'), '{}') as black
      from card_merchants where organization_id = c.organization_id and card_id = c.card_id) m`;

export const shownCard: ManyQuery<string, ShownCard> = {
  statement: (keys) => ({
    name: "shown_card",
    text: `
      select ${SHOWN_COLUMNS} from unnest($1::text[], $2::text[]) as k(organization_id, id)
       cross join lateral (select * from cards
         where organization_id = k.organization_id and card_id = k.id limit 1) c ${SHOWN_JOINS}`,
    values: scopedColumns(keys),
  }),
  keyOf: ({ organizationId, cardId }) => scopedKey(organizationId, cardId),
};

/** What the CVV of a card is made of. */
export type CardToVerify = Owned<Pick<Card, "cardId" | "expiryMonth" | "expiryYear">> &
  Pick<CardSecrets, "panSealed" | "cvvKey">;

export const secretsOfCard: ManyQuery<string, CardToVerify> = {
  statement: (keys) => ({
    name: "secrets_of_card",
    text: `
      select c.organization_id as "organizationId", c.card_id as "cardId",
             c.expiry_month as "expiryMonth", c.expiry_year as "expiryYear",
             s.pan_sealed as "panSealed", s.cvv_key as "cvvKey"
        from unnest($1::text[], $2::text[]) as k(organization_id, id)
       cross join lateral (select * from cards
         where organization_id = k.organization_id and card_id = k.id limit 1) c
       cross join lateral (select * from card_secrets
         where organization_id = k.organization_id and card_id = k.id limit 1) s`,
    values: scopedColumns(keys),
  }),
  keyOf: ({ organizationId, cardId }) => scopedKey(organizationId, cardId),
};

export type SecretCard = ShownCard & Pick<CardSecrets, "panSealed" | "cvvKey">;

export async function findSecretCard(
  db: Connection,
  organizationId: string,
  cardId: string,
): Promise<SecretCard | undefined> {
  const { rows } = await db.query<SecretCard>(
    `select ${SHOWN_COLUMNS}, s.pan_sealed as "panSealed", s.cvv_key as "cvvKey"
       from cards c join card_secrets s using (organization_id, card_id) ${SHOWN_JOINS}
      where c.organization_id = $1 and c.card_id = $2`,
    [organizationId, cardId],
  );
  return rows[0];
}
