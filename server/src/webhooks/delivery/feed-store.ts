import type { Statement } from "../../db/lane.ts";

/** Held while positions are given, so that there is one writer of the feed at a time. */
const FEED_LOCK = 4_000_000_005;
/** Entries that are given their positions at once. */
export const MAX_ENTRIES = 1_000;

export const LOCK_FEED: Statement = {
  name: "feed_lock",
  text: "select pg_advisory_xact_lock($1)",
  values: [FEED_LOCK],
};

/** The number of the newest entry, committed or not. */
export const LAST_ENTRY: Statement = {
  name: "feed_last_entry",
  text: `select last_value as "entryId" from event_log_entry_id_seq`,
};

/** An organization whose events got their positions, with one of its endpoints or none. */
export interface Placed {
  organizationId: string;
  entries: number;
  webhookEndpointId: string | null;
  isFailing: boolean;
}

/**
 * Numbers the events of each organization on from its last position, entries in their order. Of two
 * events of a card the second is in a later entry, because it waited for the first one's commit. Rows
 * are found again by where they lie: nobody else writes here, and no statistics can spoil that plan.
 */
export function placeEntries(fromEntryId: bigint): Statement {
  return {
    name: "feed_place",
    text: `
      with waiting as (
        select ctid as at, entry_id, organization_id, events from event_log
         where position is null and entry_id >= $1 order by entry_id limit ${MAX_ENTRIES}),
      heads as (
        select o.organization_id, coalesce((
                 select position from event_log l
                  where l.organization_id = o.organization_id and l.position is not null
                  order by l.position desc limit 1), 0) as head
          from (select distinct organization_id from waiting) o),
      positions as (
        select at, head + sum(events) over (partition by organization_id order by entry_id) as position
          from waiting join heads using (organization_id)),
      placed as (
        update event_log l set position = p.position
          from positions p where l.ctid = p.at and l.position is null
        returning l.organization_id)
      select o.organization_id as "organizationId", o.entries, e.webhook_endpoint_id as "webhookEndpointId",
             e.failing_since is not null as "isFailing"
        from (select organization_id, count(*)::int as entries from placed group by 1) o
        left join lateral (
          select webhook_endpoint_id, failing_since from webhook_endpoints
           where organization_id = o.organization_id and status = 'Enabled' offset 0) e on true`,
    values: [fromEntryId],
  };
}
