import type { Pool } from "../../db/pool.ts";

/** What has not reached its receivers, over all processes and organizations. */
export interface Backlog {
  /** Places in the feed that enabled endpoints have still to come to. */
  events: number;
  /** Deliveries that were taken up and are not acknowledged. */
  deliveries: number;
  endpoints: { healthy: number; failing: number; disabled: number };
}

export const noBacklog: Backlog = {
  events: 0,
  deliveries: 0,
  endpoints: { healthy: 0, failing: 0, disabled: 0 },
};

/** Counting on would take longer than the rest of the number is worth. */
const MAX_COUNTED = 100_000;

export async function measureBacklog(pool: Pool, maxCounted = MAX_COUNTED): Promise<Backlog> {
  const { rows } = await pool.query<Record<string, number>>(
    `select coalesce(sum(greatest(h.head - e.position, 0)) filter (where e.status = 'Enabled'), 0)::float8 as events,
            (select count(*) from (select from webhook_deliveries where due_at is not null limit $1) d)::float8
              as deliveries,
            (count(*) filter (where e.status = 'Enabled' and e.failing_since is null))::float8 as healthy,
            (count(*) filter (where e.status = 'Enabled' and e.failing_since is not null))::float8 as failing,
            (count(*) filter (where e.status = 'Disabled'))::float8 as disabled
       from webhook_endpoints e
       cross join lateral (select coalesce((
         select l.position from event_log l
          where l.organization_id = e.organization_id and l.position is not null
          order by l.position desc limit 1), 0) as head) h`,
    [maxCounted],
  );
  const { events = 0, deliveries = 0, healthy = 0, failing = 0, disabled = 0 } = rows[0] ?? {};
  return { events, deliveries, endpoints: { healthy, failing, disabled } };
}
