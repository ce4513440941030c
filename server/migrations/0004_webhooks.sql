-- The order in which events are told. A commit adds one row with all that it tells; a place in the feed
-- is given afterwards, by one writer at a time, because ids are not in the order of commits: whoever
-- reads on from a place must never miss what was committed later with a smaller id.
create table event_log (
  -- Grows with every commit. Whoever waited for another's lock comes after it.
  entry_id bigint generated always as identity,
  organization_id text collate "C" not null,
  -- The ids of the events in their order, with a space between; an array costs twice as much to write.
  event_ids text collate "C" not null,
  events integer not null check (events > 0),
  -- The place of the last of them among the organization's events, counted from 1 without gaps.
  position bigint
) with (toast_tuple_target = 8160);
create index event_log_waiting on event_log (entry_id) where position is null;
create unique index event_log_feed on event_log (organization_id, position) where position is not null;

insert into event_log (organization_id, event_ids, events, position)
select organization_id, event_id, 1,
       row_number() over (partition by organization_id order by event_id)
  from events order by event_id;

-- Few events have one, so that most inserts do not touch it.
create index events_of_client_reference on events (organization_id, client_reference, event_id)
  where client_reference is not null;

-- Where clients want their events sent.
create table webhook_endpoints (
  organization_id text collate "C" not null references organizations,
  webhook_endpoint_id text collate "C" not null,
  url text not null,
  -- None means all.
  event_types text[] not null,
  status text not null check (status in ('Enabled', 'Disabled')),
  secret_sealed bytea not null,
  -- After a rotation the secret before this one signs too, until then.
  previous_secret_sealed bytea,
  previous_secret_until timestamptz,
  -- How far it has been served: the place in the feed of the last event that was taken up for it.
  position bigint not null,
  -- Ids between which to look again for events that it never acknowledged.
  recover_from text collate "C",
  recover_until text collate "C",
  -- Since when nothing has been acknowledged and something has failed, and when it last did.
  failing_since timestamptz,
  failed_at timestamptz,
  created_at timestamptz not null,
  primary key (organization_id, webhook_endpoint_id),
  check ((recover_from is null) = (recover_until is null))
) with (fillfactor = 50);
create index webhook_endpoints_failing on webhook_endpoints (failing_since)
  where failing_since is not null and status = 'Enabled';

-- Deliveries that are under way, wait for another attempt or have failed for good. What was
-- acknowledged is deleted, and what was not taken up yet is only a place in the feed: so this stays small.
create table webhook_deliveries (
  organization_id text collate "C" not null,
  webhook_endpoint_id text collate "C" not null,
  event_id text collate "C" not null,
  -- Attempts that have failed.
  attempts integer not null,
  -- When the next attempt is to be made, in service time; null once it has failed for good.
  due_at timestamptz,
  -- Until when one worker has it, in real time, and which.
  lease_until timestamptz,
  worker_id integer,
  primary key (organization_id, webhook_endpoint_id, event_id)
) with (fillfactor = 70);
create index webhook_deliveries_due on webhook_deliveries (organization_id, webhook_endpoint_id, due_at)
  where due_at is not null;

-- Every attempt ever made.
create table webhook_attempts (
  organization_id text collate "C" not null,
  event_id text collate "C" not null,
  attempt_id bigint generated always as identity,
  webhook_endpoint_id text collate "C" not null,
  at timestamptz not null,
  http_status smallint,
  error text,
  duration_ms integer not null,
  primary key (organization_id, event_id, attempt_id)
);

-- Processes that deliver. Each holds an advisory lock of its number for as long as it lives, so that
-- the others need not wait for the leases of a dead one.
create table webhook_workers (
  worker_id integer generated always as identity primary key,
  started_at timestamptz not null default now()
);
