import type { Connection } from "../../db/pool.ts";
import { type Page, rowsFor } from "../../http/pagination.ts";

export const deliveryStatuses = ["Pending", "Delivered", "Failed"] as const;
export type DeliveryStatus = (typeof deliveryStatuses)[number];

export interface Delivery {
  eventId: string;
  /** Null when the event itself is forgotten. */
  eventType: string | null;
  status: DeliveryStatus;
  attempts: number;
  nextAttemptAt: Date | null;
  lastAttempt: { at: string; httpStatus: number | null; error: string | null } | null;
}

export interface DeliveryPage {
  rows: Delivery[];
  /** The last event that was looked at, when there may be more behind it. */
  lookedUntil: string | null;
}

interface Endpoint {
  organizationId: string;
  webhookEndpointId: string;
}

/**
 * How many attempts are looked at for one page, besides the rest of the last event's. Attempts lie by event,
 * for all endpoints together; without this bound, a page of an endpoint that gets few would read all of them.
 */
const LOOKED = 20_000;

/** What was sent to an endpoint, newest event first. */
export async function listDeliveries(
  db: Connection,
  { organizationId, webhookEndpointId }: Endpoint,
  status: DeliveryStatus | undefined,
  page: Page,
): Promise<DeliveryPage> {
  const { rows } = await db.query<DeliveryPage>(
    `${CANDIDATES[status ?? "Any"]},
     page as (select * from candidates order by event_id desc limit $4)
     select coalesce((select json_agg(d order by d."eventId" desc) from (${SHOWN}) d), '[]') as rows,
            (${LOOKED_UNTIL}) as "lookedUntil"`,
    [organizationId, webhookEndpointId, page.cursor ?? "evt_~", rowsFor(page)],
  );
  const found = rows[0] ?? { rows: [], lookedUntil: null };
  return { ...found, rows: found.rows.map(withTime) };
}

const withTime = (row: Delivery): Delivery => ({
  ...row,
  nextAttemptAt: row.nextAttemptAt === null ? null : new Date(row.nextAttemptAt),
});

const OPEN = `
  select event_id, due_at, true as is_open from webhook_deliveries
   where organization_id = $1 and webhook_endpoint_id = $2 and event_id < $3`;

const NOTHING_LOOKED_AT = `
  with looked as (select null::text as event_id where false)`;

/** Null when the look has reached the oldest. The next begins behind this event, so none is looked at in part. */
const LOOKED_UNTIL = `select case when count(*) >= ${LOOKED} then min(event_id) end from looked`;

const LATEST_ATTEMPTS = `
  with looked as materialized (
    select event_id, webhook_endpoint_id, http_status from webhook_attempts
     where organization_id = $1 and event_id < $3
     order by event_id desc fetch first ${LOOKED} rows with ties),
  tried as (
    select event_id, bool_or(http_status between 200 and 299) as is_delivered from looked
     where webhook_endpoint_id = $2 group by event_id)`;

/** What is open has a row of its own; what has arrived is known by its attempts alone. */
const CANDIDATES: Record<DeliveryStatus | "Any", string> = {
  Pending: `${NOTHING_LOOKED_AT},
    candidates as (${OPEN} and due_at is not null order by event_id desc limit $4)`,
  Failed: `${NOTHING_LOOKED_AT},
    candidates as (${OPEN} and due_at is null order by event_id desc limit $4)`,
  Delivered: `${LATEST_ATTEMPTS},
    candidates as (
      select event_id, null::timestamptz as due_at, false as is_open from tried
       where is_delivered and not exists (
         select from webhook_deliveries d
          where d.organization_id = $1 and d.webhook_endpoint_id = $2 and d.event_id = tried.event_id))`,
  Any: `${LATEST_ATTEMPTS},
    open as (${OPEN} and event_id >= coalesce((${LOOKED_UNTIL}), '')
             order by event_id desc limit $4),
    candidates as (
      select event_id, open.due_at, coalesce(open.is_open, false) as is_open
        from open full join tried using (event_id)
       where open.event_id is not null or tried.is_delivered)`,
};

const SHOWN = `
  select p.event_id as "eventId", e.event_type as "eventType",
         case when not p.is_open then 'Delivered' when p.due_at is null then 'Failed' else 'Pending' end
           as status,
         a.attempts, p.due_at as "nextAttemptAt", a.last as "lastAttempt"
    from page p
    left join events e on e.organization_id = $1 and e.event_id = p.event_id
   cross join lateral (
     select count(*)::int as attempts,
            (array_agg(json_build_object('at', at, 'httpStatus', http_status, 'error', error)
                       order by attempt_id desc))[1] as last
       from webhook_attempts
      where organization_id = $1 and event_id = p.event_id and webhook_endpoint_id = $2) a`;
