import type { Connection } from "../../db/pool.ts";
import { firstId, timeOf } from "../../foundation/ids.ts";
import { type Page, rowsFor } from "../../http/pagination.ts";
import type { TargetRow } from "../delivery/claim-store.ts";
import type { EndpointKey } from "../delivery/delivery.ts";
import type { EventType } from "../event-types.ts";

export type EndpointStatus = "Enabled" | "Disabled";

export interface Endpoint extends TargetRow {
  eventTypes: EventType[];
  status: EndpointStatus;
  createdAt: Date;
}

const COLUMNS = `
  organization_id as "organizationId", webhook_endpoint_id as "webhookEndpointId", url,
  event_types as "eventTypes", status, secret_sealed as "secretSealed",
  previous_secret_sealed as "previousSecretSealed", previous_secret_until as "previousSecretUntil",
  created_at as "createdAt"`;

/** The last position in an organization's feed. */
const HEAD = `coalesce((
  select position from event_log where organization_id = $1 and position is not null
   order by position desc limit 1), 0)`;

export type NewEndpoint = Omit<Endpoint, "previousSecretSealed" | "previousSecretUntil" | "status">;

/** An endpoint is told what happens from now on. False when the organization has enough of them. */
export async function insertEndpoint(
  db: Connection,
  row: NewEndpoint,
  maxEndpoints: number,
): Promise<boolean> {
  // One at a time, or two could both be the last that fits.
  await db.query("select from organizations where organization_id = $1 for no key update", [
    row.organizationId,
  ]);
  const { rowCount } = await db.query(
    `insert into webhook_endpoints
       (organization_id, webhook_endpoint_id, url, event_types, status, secret_sealed, position, created_at)
     select $1, $2, $3, $4, 'Enabled', $5, ${HEAD}, $6
      where (select count(*) from webhook_endpoints where organization_id = $1) < $7`,
    [
      row.organizationId,
      row.webhookEndpointId,
      row.url,
      row.eventTypes,
      row.secretSealed,
      row.createdAt,
      maxEndpoints,
    ],
  );
  return rowCount === 1;
}

export async function findEndpoint(
  db: Connection,
  organizationId: string,
  webhookEndpointId: string,
): Promise<Endpoint | undefined> {
  const { rows } = await db.query<Endpoint>(
    `select ${COLUMNS} from webhook_endpoints where organization_id = $1 and webhook_endpoint_id = $2`,
    [organizationId, webhookEndpointId],
  );
  return rows[0];
}

/** Newest first, one more than the page holds. */
export async function listEndpoints(
  db: Connection,
  organizationId: string,
  page: Page,
): Promise<Endpoint[]> {
  const { rows } = await db.query<Endpoint>(
    `select ${COLUMNS} from webhook_endpoints
      where organization_id = $1 and ($2::text is null or webhook_endpoint_id < $2)
      order by webhook_endpoint_id desc limit $3`,
    [organizationId, page.cursor ?? null, rowsFor(page)],
  );
  return rows;
}

export interface EndpointChange {
  url?: string | undefined;
  eventTypes?: EventType[] | undefined;
  status?: EndpointStatus | undefined;
}

/**
 * Enabled again, an endpoint starts anew: it is told what happens from then on, and its failures are forgotten.
 * What waited for another attempt, or for its first, goes on; what it missed can be recovered. A new address also
 * has no failures yet.
 */
export async function updateEndpoint(
  db: Connection,
  organizationId: string,
  webhookEndpointId: string,
  { url, eventTypes, status }: EndpointChange,
): Promise<Endpoint | undefined> {
  const isRevived = "(status = 'Disabled' and $5::text = 'Enabled')";
  const hasFailed = `not ${isRevived} and coalesce($3, url) = url`;
  const { rows } = await db.query<Endpoint>(
    `update webhook_endpoints
        set url = coalesce($3, url), event_types = coalesce($4, event_types), status = coalesce($5, status),
            position = case when ${isRevived} then ${HEAD} else position end,
            failing_since = case when ${hasFailed} then failing_since end,
            failed_at = case when ${hasFailed} then failed_at end
      where organization_id = $1 and webhook_endpoint_id = $2 returning ${COLUMNS}`,
    [organizationId, webhookEndpointId, url ?? null, eventTypes ?? null, status ?? null],
  );
  return rows[0];
}

/** The secret before this one goes on signing until then. */
export async function replaceEndpointSecret(
  db: Connection,
  organizationId: string,
  webhookEndpointId: string,
  { secretSealed, previousUntil }: { secretSealed: Buffer; previousUntil: Date },
): Promise<Endpoint | undefined> {
  const { rows } = await db.query<Endpoint>(
    `update webhook_endpoints
        set previous_secret_sealed = secret_sealed, previous_secret_until = $4, secret_sealed = $3
      where organization_id = $1 and webhook_endpoint_id = $2 returning ${COLUMNS}`,
    [organizationId, webhookEndpointId, secretSealed, previousUntil],
  );
  return rows[0];
}

/** Its deliveries are cleared away later: there may be many. */
export async function deleteEndpoint(
  db: Connection,
  organizationId: string,
  webhookEndpointId: string,
): Promise<Endpoint | undefined> {
  const { rows } = await db.query<Endpoint>(
    `delete from webhook_endpoints where organization_id = $1 and webhook_endpoint_id = $2
     returning ${COLUMNS}`,
    [organizationId, webhookEndpointId],
  );
  return rows[0];
}

/** Has the events between two ids looked through again, together with what is being recovered already. */
export async function startRecovery(
  db: Connection,
  organizationId: string,
  webhookEndpointId: string,
  { fromId, untilId }: { fromId: string; untilId: string },
): Promise<Endpoint | undefined> {
  const { rows } = await db.query<Endpoint>(
    `update webhook_endpoints
        set recover_from = least(recover_from, $3), recover_until = greatest(recover_until, $4)
      where organization_id = $1 and webhook_endpoint_id = $2 returning ${COLUMNS}`,
    [organizationId, webhookEndpointId, fromId, untilId],
  );
  return rows[0];
}

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
