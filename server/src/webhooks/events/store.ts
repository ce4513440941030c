import type { Connection } from "../../db/pool.ts";
import type { TimeRange } from "../../foundation/dates.ts";
import { firstId } from "../../foundation/ids.ts";
import { describeOpeningEvent } from "../../transactions/opening-event.ts";
import type { EventType } from "../event-types.ts";
import { completeEvents, type Kept } from "./complete-events.ts";

export interface EventRow extends Kept {
  eventId: string;
  eventType: string;
  sequence: bigint | null;
  clientReference: string | null;
  data: Record<string, unknown>;
}

export interface EventFilter {
  type?: EventType | undefined;
  cardId?: string | undefined;
  clientReference?: string | undefined;
  range: TimeRange;
}

/** A stretch of a list, and the key to go on from. */
export interface Stretch {
  rows: EventRow[];
  /** Undefined when there is nothing more. */
  nextKey: string | undefined;
}

/**
 * Types and cards have no index, which every purchase would pay for. So many events are looked at in
 * one go, and a page may have fewer than it could.
 */
const MAX_LOOKED_AT = 20_000;
/** The feed is searched in steps that widen, since each event is looked up by itself and most are soon found. */
const FIRST_LOOK = 100;
const WIDENING = 8;
const WIDEST_LOOK = 6_400;
/** Commits that are passed in one go because all of their events are too old for the search. */
const MAX_PASSED = 20_000;

const COLUMNS = `
  organization_id as "organizationId", event_id as "eventId", event_type as "eventType",
  begins as "opensTransactionId", created_at as "createdAt", sequence,
  client_reference as "clientReference", data`;

/** Ids carry the time of their event, so that a time is a place among them. */
const LAST_ID = "evt_~";

function idsOf({ from, to }: TimeRange, before = LAST_ID): [from: string, before: string] {
  const end = to === undefined ? LAST_ID : firstId("evt", to.getTime());
  return [from === undefined ? "" : firstId("evt", from.getTime()), end < before ? end : before];
}

/** Newest first. How far a search came is asked in the same statement: a later one would see newer events. */
export async function listEvents(
  db: Connection,
  organizationId: string,
  { type, cardId, clientReference, range }: EventFilter,
  { limit, before }: { limit: number; before?: string | undefined },
): Promise<Stretch> {
  const isSearch = type !== undefined || cardId !== undefined;
  const looked = `
    select * from events
     where organization_id = $1 and event_id >= $2 and event_id < $3
       ${clientReference === undefined ? "and $4::text is null" : "and client_reference = $4"}
     order by event_id desc limit $5`;
  const endOfLook = `
    select min(event_id) from (${looked}) l having count(*) = ${MAX_LOOKED_AT}`;
  const { rows } = await db.query<EventRow & { lookedTo: string | null }>(
    `with found as materialized (
       select ${COLUMNS} from (${looked}) l
        where ($6::text is null or event_type = $6) and ($7::text is null or card_id = $7)
        order by event_id desc limit $8)
     select f.*, s."lookedTo"
       from (select case when count(*) < $8 then (${endOfLook}) end as "lookedTo" from found) s
       left join found f on true
      order by f."eventId" desc`,
    [
      organizationId,
      ...idsOf(range, before),
      clientReference ?? null,
      isSearch ? MAX_LOOKED_AT : limit + 1,
      type ?? null,
      cardId ?? null,
      limit + 1,
    ],
  );
  const found = rows.filter(({ eventId }) => eventId !== null);
  const shown = await completed(db, found.slice(0, limit));
  const nextKey = found.length > limit ? shown.at(-1)?.eventId : rows[0]?.lookedTo;
  return { rows: shown, nextKey: nextKey ?? undefined };
}

/** In the order of the feed, from a position on. There is always a position to go on from. */
export async function readFeed(
  db: Connection,
  organizationId: string,
  filter: EventFilter,
  { limit, after }: { limit: number; after: bigint },
): Promise<Stretch> {
  const rows: EventRow[] = [];
  let position = await passEarlier(db, organizationId, filter, after);
  for (let events = isFiltered(filter) ? FIRST_LOOK : limit; ; events *= WIDENING) {
    const look = { after: position, events, limit: limit - rows.length };
    const seen = await lookAtFeed(db, organizationId, filter, look);
    rows.push(...seen.rows);
    position = seen.position;
    // Positions have no gaps: having advanced by fewer than were asked for, it has reached the end.
    const isAtEnd = position - look.after < events;
    if (isAtEnd || rows.length === limit || events >= WIDEST_LOOK) {
      return { rows, nextKey: String(position) };
    }
  }
}

/**
 * How far the feed can be passed without looking up its events: to the first commit with an id that is not too old.
 * One statement asks for a client reference's first event and for the feed, so that neither is ahead of the other.
 */
async function passEarlier(
  db: Connection,
  organizationId: string,
  { clientReference, range }: EventFilter,
  after: bigint,
): Promise<bigint> {
  const [fromId] = idsOf(range);
  if (fromId === "" && clientReference === undefined) return after;
  const { rows } = await db.query<{ position: bigint | null }>(
    `with entries as not materialized (
       select position, events, event_ids from event_log
        where organization_id = $1 and position > $2 order by position limit ${MAX_PASSED})
     select coalesce(
       (select l.position - l.events from entries l
         where exists (
           select from unnest(string_to_array(l.event_ids, ' ')) x(event_id)
            where x.event_id >= e.earliest)
         order by l.position limit 1),
       (select max(position) from entries)) as position
       from (select greatest($3, case when $4::text is not null then coalesce((
               select min(event_id) from events
                where organization_id = $1 and client_reference = $4), '${LAST_ID}') end) as earliest) e`,
    [organizationId, after, fromId, clientReference ?? null],
  );
  const position = rows[0]?.position ?? after;
  return position > after ? position : after;
}

/** Looks at so many events from a position on, and says how far it came: a full page, to its last event. */
async function lookAtFeed(
  db: Connection,
  organizationId: string,
  { type, cardId, clientReference, range }: EventFilter,
  { after, events, limit }: { after: bigint; events: number; limit: number },
): Promise<{ rows: EventRow[]; position: bigint }> {
  const [fromId, beforeId] = idsOf(range);
  const { rows } = await db.query<EventRow & { position: bigint | null; seenTo: bigint | null }>(
    `with entries as materialized (
       select * from (
         select *, greatest($2, min(position - events) over ()) as passed
           from (select position, events, event_ids from event_log
                  where organization_id = $1 and position > $2 order by position limit $8) l) l
        where position - events < passed + $8)
     select s."seenTo", e.*
       from (select max(position) as "seenTo" from entries) s
       left join lateral (
         select g.position - g.events + x.n as position, v.*
           from entries g
          cross join lateral unnest(string_to_array(g.event_ids, ' ')) with ordinality as x(event_id, n)
          cross join lateral (
            select ${COLUMNS}, card_id from events
             where organization_id = $1 and event_id = x.event_id limit 1) v
          where g.position - g.events + x.n > $2
            and v."eventId" >= $3 and v."eventId" < $4
            and ($5::text is null or v."eventType" = $5) and ($6::text is null or v.card_id = $6)
            and ($7::text is null or v."clientReference" = $7)
          order by position limit $9) e on true`,
    [
      organizationId,
      after,
      fromId,
      beforeId,
      type ?? null,
      cardId ?? null,
      clientReference ?? null,
      events,
      limit,
    ],
  );
  const found = rows.filter((row) => row.position !== null);
  const last = found.length === limit ? found.at(-1)?.position : rows[0]?.seenTo;
  return { rows: await completed(db, found), position: last ?? after };
}

/** The position of the latest event that has one. */
export async function lastPosition(db: Connection, organizationId: string): Promise<bigint> {
  const { rows } = await db.query<{ position: bigint }>(
    `select position from event_log where organization_id = $1 and position is not null
      order by position desc limit 1`,
    [organizationId],
  );
  return rows[0]?.position ?? 0n;
}

const isFiltered = ({ type, cardId, clientReference, range }: EventFilter): boolean =>
  [type, cardId, clientReference, range.from, range.to].some((value) => value !== undefined);

export async function findEvent(
  db: Connection,
  organizationId: string,
  eventId: string,
): Promise<EventRow | undefined> {
  const { rows } = await db.query<EventRow>(
    `select ${COLUMNS} from events where organization_id = $1 and event_id = $2`,
    [organizationId, eventId],
  );
  return (await completed(db, rows))[0];
}

function completed<Row extends EventRow>(db: Connection, rows: Row[]): Promise<Row[]> {
  return completeEvents(
    rows,
    async ({ text, values }) => (await db.query(text, values)).rows,
    (row, payment) => ({ ...row, data: describeOpeningEvent(payment, row) }),
  );
}
