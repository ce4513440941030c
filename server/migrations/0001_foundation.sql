-- Identifiers are prefix + 26 base32 characters: compared as bytes, so that their order is their age.

-- Fails a transaction whose last statement did not reach every row it meant: batches are sent with
-- their commit behind them, so the database itself must stop that commit.
create function expect_rows(actual bigint, expected bigint, what text) returns void
language plpgsql as $$
begin
  if actual <> expected then
    raise exception '% of % rows of % written', actual, expected, what using errcode = 'serialization_failure';
  end if;
end $$;

-- What every process must learn of within a second. One row, polled.
create table shared_state (
  only_row boolean primary key default true check (only_row),
  clock_offset_ms bigint not null default 0 check (clock_offset_ms >= 0),
  directory_version bigint not null default 1,
  keys_version bigint not null default 1
);
insert into shared_state default values;

-- Keys that encrypt rows ("seal") or look them up, wrapped by the master key of the environment.
create table data_keys (
  purpose text not null,
  version integer not null check (version > 0),
  wrapped_key bytea not null,
  created_at timestamptz not null,
  primary key (purpose, version)
);

-- ES256 keys of the token server. The youngest signs; a retired one verifies until its tokens are gone.
create table signing_keys (
  key_id text collate "C" primary key,
  public_jwk jsonb not null,
  private_key_sealed bytea not null,
  created_at timestamptz not null,
  retired_at timestamptz
);

create table organizations (
  organization_id text collate "C" primary key,
  name text not null,
  status text not null default 'Enabled' check (status in ('Enabled', 'Disabled')),
  customer_managed boolean not null default false,
  webhook_secret_sealed bytea not null,
  -- The organization that a sandbox is born with keeps here what only sandbox.json shows.
  sandbox_seed_sealed bytea,
  created_at timestamptz not null
);
create unique index organizations_one_sandbox_seed on organizations ((true))
  where sandbox_seed_sealed is not null;

create table clients (
  client_id text collate "C" primary key,
  organization_id text collate "C" not null references organizations,
  status text not null default 'Enabled' check (status in ('Enabled', 'Disabled')),
  secret_sealed bytea not null,
  -- During a rotation the secret before this one still signs, until then.
  previous_secret_sealed bytea,
  previous_secret_until timestamptz,
  unique_key_sealed bytea not null,
  allowed_scopes text[] not null,
  default_scopes text[] not null,
  created_at timestamptz not null
);
create index clients_of_organization on clients (organization_id);

-- What operators and people did. Written in the transaction of the deed.
create table audit_log (
  audit_id text collate "C" primary key,
  organization_id text collate "C",
  actor text not null,
  action text not null,
  detail jsonb not null,
  created_at timestamptz not null
);
create index audit_log_of_organization on audit_log (organization_id, audit_id);

-- References (idempotency keys) live in generations of at least 24 hours; a generation is dropped
-- whole when its last Reference has expired. A batch holds a shared advisory lock while it works in
-- the current generation, and the switch to the next takes it exclusively: see references/generations.
create table reference_generations (
  generation integer primary key,
  started_at timestamptz not null
);
insert into reference_generations values (1, now());

create table request_references (
  client_id text collate "C" not null,
  reference text collate "C" not null,
  generation integer not null,
  -- Counts the outcomes; a writer that has not seen the latest one loses.
  attempt integer not null,
  state text not null check (state in ('InProgress', 'Succeeded', 'Failed')),
  method text not null,
  path text not null,
  http_status smallint,
  response_code text,
  resource_id text,
  -- SHA-256 of method, target and body; only failures need it.
  digest bytea,
  request_id text not null,
  -- When a reservation by a process that died is void, in real time.
  lease_until timestamptz,
  completed_at timestamptz not null,
  primary key (client_id, reference, generation)
) partition by list (generation);
create table request_references_1 partition of request_references for values in (1);

-- Accounts. A balance is credits minus debits; `available` is posted minus held. The counter accounts
-- (deposits, clearing, fees) keep no balance of their own, so that no writer ever waits for another
-- there: theirs is the sum of their postings.
create table accounts (
  organization_id text collate "C" not null references organizations,
  account_id text collate "C" not null,
  kind text not null check (kind in ('Wallet', 'Card', 'Deposits', 'Clearing', 'Fees')),
  currency text collate "C" not null check (currency ~ '^[A-Z]{3}$'),
  posted_minor bigint,
  held_minor bigint check (held_minor >= 0),
  created_at timestamptz not null,
  primary key (organization_id, account_id),
  check ((kind in ('Wallet', 'Card')) = (posted_minor is not null and held_minor is not null))
) with (fillfactor = 50);
create unique index accounts_one_per_currency on accounts (organization_id, kind, currency)
  where kind <> 'Card';

-- The journal. One row moves an amount from one account to another, so debits equal credits by
-- construction; the rows of one business event share an entry.
create table postings (
  organization_id text collate "C" not null,
  posting_id bigint generated always as identity,
  entry_id text collate "C" not null,
  kind text not null,
  debit_account_id text collate "C" not null,
  credit_account_id text collate "C" not null,
  amount_minor bigint not null check (amount_minor > 0),
  currency text collate "C" not null,
  -- The posted balances after this row, where the account keeps one.
  debit_balance_minor bigint,
  credit_balance_minor bigint,
  transaction_id text collate "C",
  reference text collate "C",
  created_at timestamptz not null,
  primary key (organization_id, posting_id),
  check (debit_account_id <> credit_account_id)
);
create index postings_by_debit on postings (organization_id, debit_account_id, posting_id);
create index postings_by_credit on postings (organization_id, credit_account_id, posting_id);

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception 'rows of % are never changed or deleted', tg_table_name using errcode = 'restrict_violation';
end $$;
create trigger postings_are_immutable before update or delete or truncate on postings
  for each statement execute function refuse_change();

create function check_postings() returns trigger language plpgsql as $$
begin
  if exists (
    select from new_postings p
      left join accounts d on d.organization_id = p.organization_id and d.account_id = p.debit_account_id
      left join accounts c on c.organization_id = p.organization_id and c.account_id = p.credit_account_id
     where d.currency is distinct from p.currency or c.currency is distinct from p.currency
  ) then
    raise exception 'a posting joins two accounts of its organization and currency' using errcode = 'check_violation';
  end if;
  return null;
end $$;
create trigger postings_fit_their_accounts after insert on postings
  referencing new table as new_postings for each statement execute function check_postings();

-- What happened, written in the transaction of its cause. Delivery reads from here.
create table events (
  organization_id text collate "C" not null,
  event_id text collate "C" not null,
  event_type text not null,
  card_id text collate "C",
  sequence bigint,
  client_reference text,
  data json not null,
  created_at timestamptz not null,
  primary key (organization_id, event_id)
);
