-- Generated from server/migrations by `npm run generate`.

create table accounts (
  organization_id text collate "C" not null,
  account_id text collate "C" not null,
  kind text not null,
  currency text collate "C" not null,
  posted_minor bigint,
  held_minor bigint,
  created_at timestamp with time zone not null,
  constraint accounts_check CHECK (((kind = ANY (ARRAY['Wallet'::text, 'Card'::text])) = ((posted_minor IS NOT NULL) AND (held_minor IS NOT NULL)))),
  constraint accounts_currency_check CHECK ((currency ~ '^[A-Z]{3}$'::text)),
  constraint accounts_held_minor_check CHECK ((held_minor >= 0)),
  constraint accounts_kind_check CHECK ((kind = ANY (ARRAY['Wallet'::text, 'Card'::text, 'Deposits'::text, 'Clearing'::text, 'Fees'::text]))),
  constraint accounts_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(organization_id),
  constraint accounts_pkey PRIMARY KEY (organization_id, account_id)
) with (fillfactor=50);
CREATE UNIQUE INDEX accounts_one_per_currency ON public.accounts USING btree (organization_id, kind, currency) WHERE (kind <> 'Card'::text);

create table audit_log (
  audit_id text collate "C" not null,
  organization_id text collate "C",
  actor text not null,
  action text not null,
  detail jsonb not null,
  created_at timestamp with time zone not null,
  constraint audit_log_pkey PRIMARY KEY (audit_id)
);
CREATE INDEX audit_log_of_organization ON public.audit_log USING btree (organization_id, audit_id);

create table clients (
  client_id text collate "C" not null,
  organization_id text collate "C" not null,
  status text not null default 'Enabled'::text,
  secret_sealed bytea not null,
  previous_secret_sealed bytea,
  previous_secret_until timestamp with time zone,
  unique_key_sealed bytea not null,
  allowed_scopes text[] not null,
  default_scopes text[] not null,
  created_at timestamp with time zone not null,
  constraint clients_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(organization_id),
  constraint clients_pkey PRIMARY KEY (client_id),
  constraint clients_status_check CHECK ((status = ANY (ARRAY['Enabled'::text, 'Disabled'::text])))
);
CREATE INDEX clients_of_organization ON public.clients USING btree (organization_id);

create table data_keys (
  purpose text not null,
  version integer not null,
  wrapped_key bytea not null,
  created_at timestamp with time zone not null,
  constraint data_keys_pkey PRIMARY KEY (purpose, version),
  constraint data_keys_version_check CHECK ((version > 0))
);

create table events (
  organization_id text collate "C" not null,
  event_id text collate "C" not null,
  event_type text not null,
  card_id text collate "C",
  sequence bigint,
  client_reference text,
  data json not null,
  created_at timestamp with time zone not null,
  constraint events_pkey PRIMARY KEY (organization_id, event_id)
);

create table organizations (
  organization_id text collate "C" not null,
  name text not null,
  status text not null default 'Enabled'::text,
  customer_managed boolean not null default false,
  webhook_secret_sealed bytea not null,
  sandbox_seed_sealed bytea,
  created_at timestamp with time zone not null,
  constraint organizations_pkey PRIMARY KEY (organization_id),
  constraint organizations_status_check CHECK ((status = ANY (ARRAY['Enabled'::text, 'Disabled'::text])))
);
CREATE UNIQUE INDEX organizations_one_sandbox_seed ON public.organizations USING btree ((true)) WHERE (sandbox_seed_sealed IS NOT NULL);

create table postings (
  organization_id text collate "C" not null,
  posting_id bigint not null generated always as identity,
  entry_id text collate "C" not null,
  kind text not null,
  debit_account_id text collate "C" not null,
  credit_account_id text collate "C" not null,
  amount_minor bigint not null,
  currency text collate "C" not null,
  debit_balance_minor bigint,
  credit_balance_minor bigint,
  transaction_id text collate "C",
  reference text collate "C",
  created_at timestamp with time zone not null,
  constraint postings_amount_minor_check CHECK ((amount_minor > 0)),
  constraint postings_check CHECK ((debit_account_id <> credit_account_id)),
  constraint postings_pkey PRIMARY KEY (organization_id, posting_id)
);
CREATE INDEX postings_by_credit ON public.postings USING btree (organization_id, credit_account_id, posting_id);
CREATE INDEX postings_by_debit ON public.postings USING btree (organization_id, debit_account_id, posting_id);
CREATE TRIGGER postings_are_immutable BEFORE DELETE OR UPDATE OR TRUNCATE ON public.postings FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER postings_fit_their_accounts AFTER INSERT ON public.postings REFERENCING NEW TABLE AS new_postings FOR EACH STATEMENT EXECUTE FUNCTION check_postings();

create table reference_generations (
  generation integer not null,
  started_at timestamp with time zone not null,
  constraint reference_generations_pkey PRIMARY KEY (generation)
);

create table request_references (
  client_id text collate "C" not null,
  reference text collate "C" not null,
  generation integer not null,
  attempt integer not null,
  state text not null,
  method text not null,
  path text not null,
  http_status smallint,
  response_code text,
  resource_id text,
  digest bytea,
  request_id text not null,
  lease_until timestamp with time zone,
  completed_at timestamp with time zone not null,
  constraint request_references_pkey PRIMARY KEY (client_id, reference, generation),
  constraint request_references_state_check CHECK ((state = ANY (ARRAY['InProgress'::text, 'Succeeded'::text, 'Failed'::text])))
) partition by LIST (generation);

create table schema_migrations (
  name text not null,
  checksum text not null,
  applied_at timestamp with time zone not null default now(),
  constraint schema_migrations_pkey PRIMARY KEY (name)
);

create table shared_state (
  only_row boolean not null default true,
  clock_offset_ms bigint not null default 0,
  directory_version bigint not null default 1,
  keys_version bigint not null default 1,
  constraint shared_state_clock_offset_ms_check CHECK ((clock_offset_ms >= 0)),
  constraint shared_state_only_row_check CHECK (only_row),
  constraint shared_state_pkey PRIMARY KEY (only_row)
);

create table signing_keys (
  key_id text collate "C" not null,
  public_jwk jsonb not null,
  private_key_sealed bytea not null,
  created_at timestamp with time zone not null,
  retired_at timestamp with time zone,
  constraint signing_keys_pkey PRIMARY KEY (key_id)
);

CREATE OR REPLACE FUNCTION public.check_postings()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION public.expect_rows(actual bigint, expected bigint, what text)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  if actual <> expected then
    raise exception '% of % rows of % written', actual, expected, what using errcode = 'serialization_failure';
  end if;
end $function$;

CREATE OR REPLACE FUNCTION public.refuse_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  raise exception 'rows of % are never changed or deleted', tg_table_name using errcode = 'restrict_violation';
end $function$;
