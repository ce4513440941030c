import type { Connection } from "../../db/pool.ts";
import type { Currency } from "../../foundation/currencies.ts";
import type { TimeRange } from "../../foundation/dates.ts";
import { firstId } from "../../foundation/ids.ts";
import { type Page, rowsFor } from "../../http/pagination.ts";
import { type CardStatus, type CardType, cardStatuses, cardTypes } from "../card.ts";
import { SHOWN_COLUMNS, SHOWN_JOINS, type ShownCard } from "./store.ts";

export interface CardFilter {
  status?: CardStatus | undefined;
  type?: CardType | undefined;
  customerId?: string | undefined;
  currency?: Currency | undefined;
  range: TimeRange;
}

interface Query {
  text: string;
  values: unknown[];
}

/** One page of an organization's cards, newest first. First the ids are found in an index, then the rows. */
export async function listCards(
  db: Connection,
  organizationId: string,
  filter: CardFilter,
  page: Page,
): Promise<ShownCard[]> {
  const { text, values } = idsQuery(organizationId, filter, page);
  const { rows } = await db.query<ShownCard>(
    `select ${SHOWN_COLUMNS} from (${text}) as p
      cross join lateral (select * from cards
        where organization_id = $1 and card_id = p.card_id limit 1) c ${SHOWN_JOINS}
      order by c.card_id desc`,
    values,
  );
  return rows;
}

function idsQuery(organizationId: string, filter: CardFilter, page: Page): Query {
  const bounds = [organizationId, lowest(filter.range), highest(filter.range, page), rowsFor(page)];
  const { customerId, status, type, currency } = filter;
  if (customerId !== undefined) {
    return { text: OF_CUSTOMER, values: [...bounds, customerId, status, type, currency] };
  }
  if (status === undefined && type === undefined && currency === undefined) {
    return { text: OF_ALL, values: bounds };
  }
  const statuses = status === undefined ? cardStatuses : [status];
  const types = type === undefined ? cardTypes : [type];
  return { text: OF_KIND, values: [...bounds, statuses, types, currency] };
}

/** A card's id has the time of its creation, so that a time is a place in the order of ids. */
const lowest = ({ from }: TimeRange): string =>
  from === undefined ? "card_" : firstId("card", from.getTime());

function highest({ to }: TimeRange, { cursor = "card_~" }: Page): string {
  const end = to === undefined ? "card_~" : firstId("card", to.getTime());
  return end < cursor ? end : cursor;
}

const IN_BOUNDS = "organization_id = $1 and card_id >= $2 and card_id < $3";
const NEWEST = "order by card_id desc limit $4";

const OF_ALL = `select card_id from cards where ${IN_BOUNDS} ${NEWEST}`;

const OF_CUSTOMER = `
  select card_id from cards where ${IN_BOUNDS} and customer_id = $5
     and ($6::text is null or status = $6) and ($7::text is null or type = $7)
     and ($8::text is null or currency = $8) ${NEWEST}`;

/**
 * The newest of each kind, then the newest of those. However rare what is asked for, this reads no
 * more than a page of each kind. A plain filter reads all cards to find none: of a million cards that
 * took a second, and this two milliseconds, on every page.
 */
const OF_KIND = `
  with recursive used (currency) as (
    (select currency from cards where organization_id = $1 order by currency limit 1)
    union all
    select (select currency from cards where organization_id = $1 and currency > used.currency
             order by currency limit 1)
      from used where used.currency is not null)
  select newest.card_id
    from used cross join unnest($5::text[]) as s(status) cross join unnest($6::text[]) as t(type)
   cross join lateral (
     select card_id from cards
      where ${IN_BOUNDS} and currency = used.currency and status = s.status and type = t.type ${NEWEST}
   ) as newest
   where $7::text is null or used.currency = $7
   order by newest.card_id desc limit $4`;
