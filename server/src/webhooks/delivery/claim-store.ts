import { numberArray, textArray } from "../../db/arrays.ts";
import type { Statement } from "../../db/lane.ts";
import { type Candidate, type EndpointKey, LEASE_MS } from "./delivery.ts";
import { WAITING_OWNERS } from "./owners.ts";

/** How many more deliveries an endpoint may be given. */
export interface Room extends EndpointKey {
  room: number;
}

/** What a claim found. Without a message it was nothing for this endpoint, but has been looked at. */
export interface ClaimedRow extends EndpointKey {
  eventId: string;
  attempts: number;
  eventType: string | null;
  opensTransactionId: string | null;
  createdAt: Date;
  sequence: bigint | null;
  clientReference: string | null;
  dataJson: string;
}

const LEASE = `clock_timestamp() + interval '${LEASE_MS} milliseconds'`;
const IS_FREE = "(lease_until is null or lease_until <= clock_timestamp())";
/** Where a delivery that is to be taken exists already, and somebody has it. */
const IS_LEFT = `d.lease_until > excluded.lease_until - interval '${LEASE_MS} milliseconds'`;

/** The endpoints that are asked for, each looked up by itself: a plan must not depend on how many there are. */
const wanted = (which: string): string => `
  select e.*, k.room
    from unnest($1::text[], $2::text[], $3::int[]) as k(organization_id, webhook_endpoint_id, room)
   cross join lateral (
     select * from webhook_endpoints
      where organization_id = k.organization_id and webhook_endpoint_id = k.webhook_endpoint_id
        and status = 'Enabled' ${which}) e`;

/** One process at a time moves an endpoint on. */
const TO_MOVE = "limit 1 for no key update skip locked";

const MESSAGE = `
  event_type as "eventType", begins as "opensTransactionId", created_at as "createdAt", sequence,
  client_reference as "clientReference", data::text as "dataJson"`;

const KEY = `
  organization_id as "organizationId", webhook_endpoint_id as "webhookEndpointId", event_id as "eventId"`;

const columns = (rooms: readonly Room[]): [string, string, string] => [
  textArray(rooms.map((room) => room.organizationId)),
  textArray(rooms.map((room) => room.webhookEndpointId)),
  numberArray(rooms.map(({ room }) => room)),
];

/** Takes deliveries whose next attempt is due, the longest due first. */
export function claimDue(rooms: readonly Room[], workerId: number, now: Date): Statement {
  return {
    name: "webhooks_claim_due",
    text: `
      with wanted as (${wanted("limit 1")}),
      free as (
        select d.* from wanted w cross join lateral (
          select organization_id, webhook_endpoint_id, event_id from webhook_deliveries
           where organization_id = w.organization_id and webhook_endpoint_id = w.webhook_endpoint_id
             and due_at <= $4 and ${IS_FREE}
           order by due_at limit w.room for update skip locked) d),
      taken as (
        update webhook_deliveries d
           set attempts = greatest(d.attempts, 0), lease_until = ${LEASE}, worker_id = $5
          from free f
         where d.organization_id = f.organization_id and d.webhook_endpoint_id = f.webhook_endpoint_id
           and d.event_id = f.event_id
        returning d.organization_id, d.webhook_endpoint_id, d.event_id, d.attempts)
      select ${KEY}, attempts, v.*
        from taken t cross join lateral (
          select ${MESSAGE} from events
           where organization_id = t.organization_id and event_id = t.event_id limit 1) v`,
    values: [...columns(rooms), now, workerId],
  };
}

/**
 * Takes the next events of the feed for each endpoint: positions have no gaps, so that their numbers
 * say which. What it does not want is passed over; what somebody had resent before its turn came, and is on
 * its way still, is left to that.
 */
export function claimFresh(rooms: readonly Room[], workerId: number, now: Date): Statement {
  return {
    name: "webhooks_claim_fresh",
    text: `
      with wanted as (${wanted(TO_MOVE)}),
      next as (
        select w.organization_id, w.webhook_endpoint_id, w.event_types, n.event_id, n.position
          from wanted w cross join lateral (
            select x.event_id, g.position - g.events + x.n as position
              from (select *, greatest(w.position, min(position - events) over ()) as passed
                      from (select position, events, event_ids from event_log
                             where organization_id = w.organization_id and position > w.position
                             order by position limit w.room) l) g
             cross join lateral unnest(string_to_array(g.event_ids, ' ')) with ordinality as x(event_id, n)
             where g.position - g.events < g.passed + w.room
               and g.position - g.events + x.n between g.passed + 1 and g.passed + w.room) n),
      moved as (
        update webhook_endpoints e set position = n.position
          from (select organization_id, webhook_endpoint_id, max(position) as position
                  from next group by 1, 2) n
         where e.organization_id = n.organization_id and e.webhook_endpoint_id = n.webhook_endpoint_id),
      wanted_events as (
        select n.*, v.* from next n cross join lateral (
          select ${MESSAGE} from events
           where organization_id = n.organization_id and event_id = n.event_id limit 1) v
         where n.event_types = '{}' or v."eventType" = any(n.event_types)),
      taken as (
        insert into webhook_deliveries
          (organization_id, webhook_endpoint_id, event_id, attempts, due_at, lease_until, worker_id)
        select organization_id, webhook_endpoint_id, event_id, 0, $4::timestamptz, ${LEASE}, $5::int
          from wanted_events
        on conflict do nothing
        returning organization_id, webhook_endpoint_id, event_id)
      select ${KEY}, 0 as attempts, t."eventType", t."opensTransactionId", t."createdAt", t.sequence,
             t."clientReference", t."dataJson"
        from next left join (
          select w.* from wanted_events w join taken using (organization_id, webhook_endpoint_id, event_id)) t
          using (organization_id, webhook_endpoint_id, event_id)
       order by next.position`,
    values: [...columns(rooms), now, workerId],
  };
}

/**
 * Goes through the events that an endpoint wants recovered and takes those that it never acknowledged,
 * waiting and failed ones included, as if they were new. One that is on its way is left to its worker, but is as if
 * new should that fail. The last look ends the recovery.
 */
export function claimRecovered(rooms: readonly Room[], workerId: number, now: Date): Statement {
  return {
    name: "webhooks_claim_recovered",
    text: `
      with lease as materialized (select ${LEASE} as until),
      wanted as (${wanted(`and recover_until is not null ${TO_MOVE}`)}),
      next as (
        select w.organization_id, w.webhook_endpoint_id, w.event_types, v.*
          from wanted w cross join lateral (
            select event_id, ${MESSAGE} from events
             where organization_id = w.organization_id and event_id > w.recover_from
               and event_id < w.recover_until
             order by event_id limit w.room) v),
      moved as (
        update webhook_endpoints e
           set recover_from = case when n.count = w.room then n.last end,
               recover_until = case when n.count = w.room then e.recover_until end
          from wanted w cross join lateral (
            select count(*) as count, max(event_id) as last from next
             where next.webhook_endpoint_id = w.webhook_endpoint_id) n
         where e.organization_id = w.organization_id and e.webhook_endpoint_id = w.webhook_endpoint_id),
      wanted_events as (
        select n.* from next n
         where (n.event_types = '{}' or n."eventType" = any(n.event_types))
           and not exists (
             select from webhook_attempts a
              where a.organization_id = n.organization_id and a.event_id = n.event_id
                and a.webhook_endpoint_id = n.webhook_endpoint_id and a.http_status between 200 and 299)),
      taken as (
        insert into webhook_deliveries as d
          (organization_id, webhook_endpoint_id, event_id, attempts, due_at, lease_until, worker_id)
        select organization_id, webhook_endpoint_id, event_id, 0, $4::timestamptz, lease.until, $5::int
          from wanted_events cross join lease
        on conflict (organization_id, webhook_endpoint_id, event_id) do update
          set attempts = case when ${IS_LEFT} then least(d.attempts, 0) else 0 end, due_at = excluded.due_at,
              lease_until = case when ${IS_LEFT} then d.lease_until else excluded.lease_until end,
              worker_id = case when ${IS_LEFT} then d.worker_id else excluded.worker_id end
        returning organization_id, webhook_endpoint_id, event_id, lease_until),
      mine as (select * from taken where lease_until = (select until from lease))
      select ${KEY}, 0 as attempts, t."eventType", t."opensTransactionId", t."createdAt", t.sequence,
             t."clientReference", t."dataJson"
        from next left join (
          select w.* from wanted_events w join mine using (organization_id, webhook_endpoint_id, event_id)) t
          using (organization_id, webhook_endpoint_id, event_id)
       order by event_id`,
    values: [...columns(rooms), now, workerId],
  };
}

/** Where endpoints are, and what signs for them. */
export interface TargetRow extends EndpointKey {
  url: string;
  secretSealed: Buffer;
  previousSecretSealed: Buffer | null;
  previousSecretUntil: Date | null;
}

export function findTargets(keys: readonly EndpointKey[]): Statement {
  return {
    name: "webhooks_targets",
    text: `
      select organization_id as "organizationId", webhook_endpoint_id as "webhookEndpointId", url,
             secret_sealed as "secretSealed", previous_secret_sealed as "previousSecretSealed",
             previous_secret_until as "previousSecretUntil"
        from unnest($1::text[], $2::text[]) as k(organization_id, webhook_endpoint_id)
        join webhook_endpoints e using (organization_id, webhook_endpoint_id)`,
    values: [
      textArray(keys.map((key) => key.organizationId)),
      textArray(keys.map((key) => key.webhookEndpointId)),
    ],
  };
}

/** An endpoint that has work, and of which kinds. */
export interface Busy extends Candidate {
  hasDue: boolean;
  hasFresh: boolean;
  hasRecovery: boolean;
}

/** Endpoints that have something to be delivered now. */
export function findBusy(now: Date): Statement {
  return {
    name: "webhooks_busy",
    text: `
      with recursive ${WAITING_OWNERS}
      select e.organization_id as "organizationId", e.webhook_endpoint_id as "webhookEndpointId",
             w.webhook_endpoint_id is not null as "hasDue", f.is as "hasFresh",
             e.recover_until is not null as "hasRecovery", e.failing_since is not null as "isFailing"
        from webhook_endpoints e
        left join (
          select * from owners where exists (
            select from webhook_deliveries d
             where d.organization_id = owners.organization_id
               and d.webhook_endpoint_id = owners.webhook_endpoint_id and d.due_at <= $1 and ${IS_FREE})) w
          using (organization_id, webhook_endpoint_id)
       cross join lateral (
         select exists (select from event_log l
           where l.organization_id = e.organization_id and l.position > e.position) as is) f
       where e.status = 'Enabled'
         and (w.webhook_endpoint_id is not null or f.is or e.recover_until is not null)`,
    values: [now],
  };
}
