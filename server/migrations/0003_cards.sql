-- What a card is and how it may be used. The account it spends from is fixed for life and may serve
-- several cards. Whoever changes a card, or anything else below, holds the lock of that account.
create table cards (
  organization_id text collate "C" not null references organizations,
  card_id text collate "C" not null,
  customer_id text collate "C" not null,
  account_id text collate "C" not null,
  type text not null check (type in ('Retail', 'Corporate', 'Lite')),
  status text not null check (status in ('Active', 'Frozen', 'Terminated')),
  programme_id text not null,
  currency text collate "C" not null,
  brand text not null,
  masked_pan text not null,
  expiry_month smallint not null check (expiry_month between 1 and 12),
  expiry_year smallint not null,
  name_on_card text not null,
  contactless_payment boolean not null,
  daily_limit_minor bigint check (daily_limit_minor > 0),
  transaction_limit_minor bigint check (transaction_limit_minor > 0),
  white_listed_mccs jsonb not null,
  black_listed_mccs jsonb not null,
  billing_address jsonb,
  shared_balance boolean not null,
  swipe_count integer check (swipe_count > 0),
  metadata jsonb not null,
  termination_reason text,
  created_at timestamptz not null,
  terminated_at timestamptz,
  primary key (organization_id, card_id),
  check ((type = 'Lite') = (swipe_count is not null)),
  check ((status = 'Terminated') = (terminated_at is not null))
) with (fillfactor = 80);
-- Lists are read newest first by any combination of filters, and stay as fast on their last page as on
-- their first: one customer's cards are sifted in the index alone, and all cards by kind are a few
-- sorted ranges of one index. A card changes its status a few times in its life, so that costs little.
create index cards_of_customer on cards (organization_id, customer_id, card_id)
  include (currency, status, type);
create index cards_by_kind on cards (organization_id, currency, status, type, card_id);
create index cards_of_account on cards (organization_id, account_id);

-- The card accounts that are below zero, by customer: one of them keeps its customer from new cards, and
-- going through all accounts of a large customer would keep the wallet locked meanwhile. Kept here,
-- so that whatever moves an account below zero and back need not know of it.
create table customer_debts (
  organization_id text collate "C" not null,
  customer_id text collate "C" not null,
  account_id text collate "C" not null,
  primary key (organization_id, customer_id, account_id)
);
create function note_debt() returns trigger language plpgsql as $$
begin
  if new.posted_minor < 0 then
    insert into customer_debts (organization_id, customer_id, account_id)
    select organization_id, customer_id, account_id from cards
     where organization_id = new.organization_id and account_id = new.account_id limit 1
    on conflict do nothing;
  else
    delete from customer_debts d using cards c
     where c.organization_id = new.organization_id and c.account_id = new.account_id
       and d.organization_id = c.organization_id and d.customer_id = c.customer_id
       and d.account_id = c.account_id;
  end if;
  return null;
end $$;
create trigger accounts_note_debts after update on accounts for each row
  when ((old.posted_minor < 0) is distinct from (new.posted_minor < 0) and new.kind = 'Card')
  execute function note_debt();

-- What every purchase changes, apart from what a card is, so that these rows stay small.
create table card_counters (
  organization_id text collate "C" not null,
  card_id text collate "C" not null,
  -- The events of the card so far; the next one gets the next number.
  event_sequence bigint not null,
  swipes_used integer not null,
  -- What was spent on the last UTC day with spending, a day counted from the epoch.
  spent_day integer not null default 0,
  spent_minor bigint not null default 0,
  -- Merchants the card is restricted to; 0: no restriction.
  white_listed_mids integer not null default 0,
  primary key (organization_id, card_id)
) with (fillfactor = 50);

-- Read by nobody but those who show or look up a whole card number. The CVV is derived, never stored;
-- which key derives it, and which one made the hash, never changes for a card.
create table card_secrets (
  organization_id text collate "C" not null,
  card_id text collate "C" not null,
  pan_sealed bytea not null,
  pan_hash bytea not null,
  pan_hash_key integer not null,
  cvv_key integer not null,
  primary key (organization_id, card_id)
);
create unique index card_secrets_by_pan on card_secrets (pan_hash);

-- One row for one payment's whole life.
create table transactions (
  organization_id text collate "C" not null,
  transaction_id text collate "C" not null,
  card_id text collate "C" not null,
  customer_id text collate "C" not null,
  -- The account that paid; fixed when the payment was decided.
  account_id text collate "C" not null,
  type text not null,
  stage text not null,
  approved boolean not null,
  response_code text not null,
  amount_minor bigint not null,
  currency text collate "C" not null,
  billing_amount_minor bigint not null,
  billing_currency text collate "C" not null,
  held_minor bigint not null default 0 check (held_minor >= 0),
  settled_minor bigint not null default 0,
  reversed_minor bigint not null default 0,
  refunded_minor bigint not null default 0,
  over_captured boolean not null default false,
  merchant json,
  entry_mode text,
  approval_code text,
  network_reference text,
  -- The two sides of a transfer between cards share it.
  transfer_id text collate "C",
  events json not null,
  -- Major units of the billing currency for one of the payment's, fixed when it was decided.
  billing_rate text,
  -- When what is held is given back.
  expires_at timestamptz,
  -- The facts of an authorization's decision and the result of every check, packed.
  decision json,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (organization_id, transaction_id)
) with (fillfactor = 80);
create unique index transactions_by_network_reference
  on transactions (organization_id, network_reference, type) where network_reference is not null;
create index transactions_of_card on transactions (organization_id, card_id, transaction_id);

create table cross_border_charges (
  organization_id text collate "C" not null,
  charge_id text collate "C" not null,
  card_id text collate "C" not null,
  account_id text collate "C" not null,
  -- The purchase that caused it.
  transaction_id text collate "C" not null,
  amount_minor bigint not null check (amount_minor > 0),
  currency text collate "C" not null,
  status text not null check (status in ('Pending', 'Collected')),
  created_at timestamptz not null,
  collected_at timestamptz,
  primary key (organization_id, charge_id),
  check ((status = 'Collected') = (collected_at is not null))
);
create index cross_border_charges_of_card on cross_border_charges (organization_id, card_id, charge_id);
create index cross_border_charges_pending on cross_border_charges (organization_id, card_id, charge_id)
  where status = 'Pending';
create index cross_border_charges_pending_of_account
  on cross_border_charges (organization_id, account_id, charge_id) where status = 'Pending';

-- What an operator put into a wallet or took out of it, once for each reference, for ever.
create table wallet_adjustments (
  organization_id text collate "C" not null,
  reference text collate "C" not null,
  wallet_id text collate "C" not null,
  entry_id text collate "C" not null,
  -- Above zero: money in.
  amount_minor bigint not null check (amount_minor <> 0),
  currency text collate "C" not null,
  created_at timestamptz not null,
  primary key (organization_id, reference)
);
