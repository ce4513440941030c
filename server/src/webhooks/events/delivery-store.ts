import type { Connection } from "../../db/pool.ts";
import { TO_BE_SENT_ANEW } from "../delivery/delivery.ts";
import type { EventRow } from "./store.ts";

export interface AttemptRow {
  webhookEndpointId: string;
  at: Date;
  httpStatus: number | null;
  error: string | null;
  durationMs: number;
}

/** The latest attempts at delivering an event, oldest first. */
export async function listAttempts(
  db: Connection,
  organizationId: string,
  eventId: string,
  limit: number,
): Promise<AttemptRow[]> {
  const { rows } = await db.query<AttemptRow>(
    `select webhook_endpoint_id as "webhookEndpointId", at, http_status as "httpStatus", error,
            duration_ms as "durationMs"
       from webhook_attempts where organization_id = $1 and event_id = $2
      order by attempt_id desc limit $3`,
    [organizationId, eventId, limit],
  );
  return rows.reverse();
}

export interface DeliveryRow {
  webhookEndpointId: string;
  status: "Pending" | "Delivered" | "Failed";
  nextAttemptAt: Date | null;
}

/** How an event stands with each endpoint that it was sent to. */
export async function listDeliveries(
  db: Connection,
  organizationId: string,
  eventId: string,
): Promise<DeliveryRow[]> {
  const { rows } = await db.query<DeliveryRow>(
    `select e.webhook_endpoint_id as "webhookEndpointId",
            case when d.due_at is not null then 'Pending' when a.is then 'Delivered' else 'Failed' end as status,
            d.due_at as "nextAttemptAt"
       from webhook_endpoints e
       left join webhook_deliveries d
         on d.organization_id = e.organization_id and d.webhook_endpoint_id = e.webhook_endpoint_id
        and d.event_id = $2
      cross join lateral (
        select exists (select from webhook_attempts a
          where a.organization_id = $1 and a.event_id = $2
            and a.webhook_endpoint_id = e.webhook_endpoint_id
            and a.http_status between 200 and 299) as is) a
      where e.organization_id = $1 and (d.event_id is not null or a.is)
      order by e.webhook_endpoint_id`,
    [organizationId, eventId],
  );
  return rows;
}

/** At one moment for all columns of a row. */
const IS_ON_ITS_WAY = "d.lease_until > now()";

/**
 * Has an event sent anew to every endpoint that is enabled and wants it. One that is on its way stays with its worker
 * until then: if both were sent at once, what came of the one would be taken for the other's.
 */
export async function resendEvent(
  db: Connection,
  organizationId: string,
  { eventId, eventType }: EventRow,
  now: Date,
): Promise<void> {
  await db.query(
    `insert into webhook_deliveries as d (organization_id, webhook_endpoint_id, event_id, attempts, due_at)
     select organization_id, webhook_endpoint_id, $2, 0, $4 from webhook_endpoints
      where organization_id = $1 and status = 'Enabled'
        and (event_types = '{}' or $3 = any(event_types))
      order by webhook_endpoint_id
     on conflict (organization_id, webhook_endpoint_id, event_id) do update
       set attempts = case when ${IS_ON_ITS_WAY} then ${TO_BE_SENT_ANEW} else 0 end, due_at = excluded.due_at,
           lease_until = case when ${IS_ON_ITS_WAY} then d.lease_until end,
           worker_id = case when ${IS_ON_ITS_WAY} then d.worker_id end`,
    [organizationId, eventId, eventType, now],
  );
}
