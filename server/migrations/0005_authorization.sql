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

-- Messages that took payments on, or that were posted without one before, so that a repeated one is known
-- again. They also tell which payments came to a stage, so that nothing mutable of the payments
-- themselves needs an index: what has moved on since is sifted out.
create table network_messages (
  organization_id text collate "C" not null,
  network_reference text collate "C" not null,
  request_type text not null,
  transaction_id text collate "C" not null,
  -- Where the message left the payment.
  stage text not null,
  created_at timestamptz not null,
  primary key (organization_id, network_reference, request_type)
);
create index network_messages_by_stage on network_messages (organization_id, stage, transaction_id)
  where stage <> 'Authorization';

-- Transactions are listed by kind, too. Plain purchases (approved, in the card's own currency) are most of
-- what there is and are found by going through all; everything else has a place here, so that
-- what is rare is found at once and a plain purchase costs nothing.
create index transactions_by_kind on transactions (organization_id, type, approved, currency, transaction_id)
  where type <> 'Authorization' or not approved or currency <> billing_currency;
-- Verifications of 0 hold nothing, so that they stay in the stage they began in.
create index transactions_verifications on transactions (organization_id, transaction_id)
  where approved and billing_amount_minor = 0;

-- How far holds of one duration have been looked through for those that are over: all with smaller ids
-- are done with. Ids carry their time, so no index on the hot rows is needed for that.
create table hold_sweeps (
  organization_id text collate "C" not null references organizations,
  hold_days integer not null,
  swept_to text collate "C" not null,
  -- Until when one process works on it, in real time.
  lease_until timestamptz,
  primary key (organization_id, hold_days)
);
