-- Merchants that a card is restricted to, or that it must not be used at.
create table card_merchants (
  organization_id text collate "C" not null,
  card_id text collate "C" not null,
  list text not null check (list in ('White', 'Black')),
  mid text collate "C" not null,
  -- A blacklisted merchant that the next attempt may pass.
  unblocked boolean not null default false,
  created_at timestamptz not null,
  primary key (organization_id, card_id, mid, list)
);

-- Messages that followed a payment's first one, so that a repeated one is known again.
create table network_messages (
  organization_id text collate "C" not null,
  network_reference text collate "C" not null,
  request_type text not null,
  transaction_id text collate "C" not null,
  created_at timestamptz not null,
  primary key (organization_id, network_reference, request_type)
);

-- How far holds have been looked through for those that are over. Ids carry their time, so no index
-- on the hot rows is needed for that.
create table hold_sweeps (
  organization_id text collate "C" not null references organizations,
  hold_days integer not null,
  swept_until timestamptz not null,
  primary key (organization_id, hold_days)
);
