-- How an organization's authorizations are decided. Without a row: by the service.
create table card_authorization_settings (
  organization_id text collate "C" primary key references organizations,
  model text not null check (model in ('ServiceManaged', 'CustomerManaged')),
  authorization_url text,
  default_decision text check (default_decision in ('AutoApprove', 'AutoDecline')),
  -- The latest address there was: payments that the organization decided go on after it changed its mind.
  advice_url text,
  -- Counts how often they were saved.
  revision bigint not null,
  updated_at timestamptz not null,
  check (model <> 'CustomerManaged' or (authorization_url is not null and default_decision is not null)),
  check (authorization_url is null or authorization_url = advice_url)
);

-- Authorizations that an organization is being asked about. A row is gone as soon as it is certain that
-- the organization knows the outcome: one that stays, because its process died, becomes a reversal.
-- Whoever changes one holds the lock of the card's account.
create table authorization_questions (
  organization_id text collate "C" not null,
  request_id text collate "C" not null,
  account_id text collate "C" not null,
  card_id text collate "C" not null,
  -- The advice that would take back what the organization approved.
  reversal json not null,
  -- In real time.
  asked_at timestamptz not null default clock_timestamp(),
  primary key (organization_id, request_id)
);
create index authorization_questions_by_age on authorization_questions (asked_at);

-- What an organization has to be told of payments that it decided. Numbers are given under the lock of
-- the card's account, so that those of one card are in the order of what happened.
create table authorization_advices (
  organization_id text collate "C" not null,
  request_id text collate "C" not null,
  card_id text collate "C" not null,
  advice_number bigint generated always as identity,
  message json not null,
  created_at timestamptz not null,
  -- After so many days in vain, so that the next may be told.
  given_up_at timestamptz,
  primary key (organization_id, request_id)
);
create index authorization_advices_waiting on authorization_advices (organization_id, card_id, advice_number)
  where given_up_at is null;

-- The cards with advices that wait. One row is one card's turn, which keeps its advices in order.
create table authorization_advice_queues (
  organization_id text collate "C" not null,
  card_id text collate "C" not null,
  -- In service time.
  due_at timestamptz not null,
  -- Until when one worker has it, in real time.
  lease_until timestamptz,
  -- How often its first advice has failed.
  attempts integer not null default 0,
  primary key (organization_id, card_id)
) with (fillfactor = 70);
create index authorization_advice_queues_due on authorization_advice_queues (due_at);
