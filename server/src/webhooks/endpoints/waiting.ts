import type { Connection } from "../../db/pool.ts";
import { firstId, timeOf } from "../../foundation/ids.ts";
import type { EndpointKey } from "../delivery/delivery.ts";
import { startRecovery } from "./store.ts";

/** Entries of the feed that are taken up at once: whoever records results waits for the endpoint meanwhile. */
const TAKEN_UP_TOGETHER = 100;

/**
 * Before an enabled endpoint comes to want other events: what it has not come to yet is taken up for it as it
 * wanted it when that happened. Says whether there may be more.
 */
export async function takeUpWaiting(
  db: Connection,
  { organizationId, webhookEndpointId }: EndpointKey,
  now: Date,
): Promise<boolean> {
  const { rows } = await db.query<{ entries: number }>(
    `with endpoint as materialized (
       select position, event_types from webhook_endpoints
        where organization_id = $1 and webhook_endpoint_id = $2 and status = 'Enabled' for no key update),
     entries as (
       select l.position, l.events, l.event_ids, e.event_types, e.position as served
         from endpoint e cross join lateral (
           select position, events, event_ids from event_log
            where organization_id = $1 and position > e.position order by position limit $4) l),
     next as (
       select x.event_id, l.position - l.events + x.n as position, l.event_types
         from entries l
        cross join lateral unnest(string_to_array(l.event_ids, ' ')) with ordinality as x(event_id, n)
        where l.position - l.events + x.n > l.served),
     taken as (
       insert into webhook_deliveries (organization_id, webhook_endpoint_id, event_id, attempts, due_at)
       select $1, $2, event_id, 0, $3
         from next join events v using (event_id)
        where v.organization_id = $1 and (event_types = '{}' or v.event_type = any(event_types))
       on conflict do nothing)
     update webhook_endpoints e set position = n.position
       from (select max(position) as position from next) n
      where organization_id = $1 and webhook_endpoint_id = $2 and n.position is not null
     returning (select count(*)::int from entries) as entries`,
    [organizationId, webhookEndpointId, now, TAKEN_UP_TOGETHER],
  );
  return rows[0]?.entries === TAKEN_UP_TOGETHER;
}

/** How far an endpoint that is enabled has been served; it stays there until the transaction ends. */
export async function holdEnabled(
  db: Connection,
  { organizationId, webhookEndpointId }: EndpointKey,
): Promise<bigint | undefined> {
  const { rows } = await db.query<{ position: bigint }>(
    `select position from webhook_endpoints
      where organization_id = $1 and webhook_endpoint_id = $2 and status = 'Enabled' for no key update`,
    [organizationId, webhookEndpointId],
  );
  return rows[0]?.position;
}

/** Ids are made before their commits: the smallest of those that wait need not be the first, but is among these. */
const FIRST_WAITING = 1_000;

/**
 * What an endpoint that is being disabled has not come to yet is recovered when it is enabled again: its place in the
 * feed is a later one then. What waits may be later than `untilMs`: other processes have clocks of their own.
 */
export async function keepWaiting(
  db: Connection,
  { organizationId, webhookEndpointId, position }: EndpointKey & { position: bigint },
  untilMs: number,
): Promise<void> {
  const { rows } = await db.query<{ first: string | null; last: string | null }>(
    `select min(id collate "C") as first, max(id collate "C") as last from (
       (select event_ids from event_log where organization_id = $1 and position > $2 order by position limit $3)
       union all
       select event_ids from event_log where organization_id = $1 and position is null) l
      cross join lateral unnest(string_to_array(event_ids, ' ')) as x(id)`,
    [organizationId, position, FIRST_WAITING],
  );
  const { first, last } = rows[0] ?? { first: null, last: null };
  if (first === null || last === null) return;
  await startRecovery(db, organizationId, webhookEndpointId, {
    fromId: firstId("evt", timeOf(first).getTime()),
    untilId: firstId("evt", Math.max(untilMs, timeOf(last).getTime() + 1)),
  });
}
