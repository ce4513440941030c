-- Generated from server/migrations by `npm run generate`.

create table account_annexes (
  organization_id text collate "C" not null,
  annex_id text collate "C" not null,
  account_id text collate "C" not null,
  kept json not null,
  constraint account_annexes_pkey PRIMARY KEY (organization_id, annex_id)
) with (fillfactor=50);
CREATE INDEX account_annexes_of_account ON public.account_annexes USING btree (organization_id, account_id);

create table accounts (
  organization_id text collate "C" not null,
  account_id text collate "C" not null,
  kind text not null,
  currency text collate "C" not null,
  posted_minor bigint,
  held_minor bigint,
  created_at timestamp with time zone not null,
  kept json not null default '{}'::json,
  constraint accounts_check CHECK (((kind = ANY (ARRAY['Wallet'::text, 'Card'::text])) = ((posted_minor IS NOT NULL) AND (held_minor IS NOT NULL)))),
  constraint accounts_currency_check CHECK ((currency ~ '^[A-Z]{3}$'::text)),
  constraint accounts_held_minor_check CHECK ((held_minor >= 0)),
  constraint accounts_kind_check CHECK ((kind = ANY (ARRAY['Wallet'::text, 'Card'::text, 'Deposits'::text, 'Clearing'::text, 'Fees'::text]))),
  constraint accounts_pkey PRIMARY KEY (organization_id, account_id)
) with (fillfactor=50);
CREATE UNIQUE INDEX accounts_one_per_currency ON public.accounts USING btree (organization_id, kind, currency) WHERE (kind <> 'Card'::text);
CREATE TRIGGER accounts_note_debts AFTER UPDATE ON public.accounts FOR EACH ROW WHEN ((((old.posted_minor < 0) IS DISTINCT FROM (new.posted_minor < 0)) AND (new.kind = 'Card'::text))) EXECUTE FUNCTION note_debt();

create table api_requests (
  organization_id text collate "C" not null,
  request_id text collate "C" not null,
  method text not null,
  path text not null,
  reference text not null,
  response_code text not null,
  http_status smallint not null,
  duration_ms real not null,
  created_at timestamp with time zone not null,
  constraint api_requests_pkey PRIMARY KEY (organization_id, request_id)
);

create table audit_log (
  audit_id text collate "C" not null,
  organization_id text collate "C",
  actor text not null,
  action text not null,
  detail jsonb not null,
  created_at timestamp with time zone not null,
  subject text,
  address text,
  outcome text,
  constraint audit_log_pkey PRIMARY KEY (audit_id)
);
CREATE INDEX audit_log_of_actor ON public.audit_log USING btree (organization_id, actor, audit_id);
CREATE INDEX audit_log_of_organization ON public.audit_log USING btree (organization_id, audit_id);

create table authorization_advice_queues (
  organization_id text collate "C" not null,
  card_id text collate "C" not null,
  due_at timestamp with time zone not null,
  lease_until timestamp with time zone,
  attempts integer not null default 0,
  constraint authorization_advice_queues_pkey PRIMARY KEY (organization_id, card_id)
) with (fillfactor=70);
CREATE INDEX authorization_advice_queues_due ON public.authorization_advice_queues USING btree (due_at);

create table authorization_advices (
  organization_id text collate "C" not null,
  request_id text collate "C" not null,
  card_id text collate "C" not null,
  advice_number bigint not null generated always as identity,
  message json not null,
  created_at timestamp with time zone not null,
  given_up_at timestamp with time zone,
  constraint authorization_advices_pkey PRIMARY KEY (organization_id, request_id)
);
CREATE INDEX authorization_advices_waiting ON public.authorization_advices USING btree (organization_id, card_id, advice_number) WHERE (given_up_at IS NULL);

create table authorization_questions (
  organization_id text collate "C" not null,
  request_id text collate "C" not null,
  account_id text collate "C" not null,
  card_id text collate "C" not null,
  reversal json not null,
  asked_at timestamp with time zone not null default clock_timestamp(),
  constraint authorization_questions_pkey PRIMARY KEY (organization_id, request_id)
);
CREATE INDEX authorization_questions_by_age ON public.authorization_questions USING btree (asked_at);

create table card_authorization_settings (
  organization_id text collate "C" not null,
  model text not null,
  authorization_url text,
  default_decision text,
  advice_url text,
  revision bigint not null,
  updated_at timestamp with time zone not null,
  constraint card_authorization_settings_check CHECK (((model <> 'CustomerManaged'::text) OR ((authorization_url IS NOT NULL) AND (default_decision IS NOT NULL)))),
  constraint card_authorization_settings_check1 CHECK (((authorization_url IS NULL) OR (authorization_url = advice_url))),
  constraint card_authorization_settings_default_decision_check CHECK ((default_decision = ANY (ARRAY['AutoApprove'::text, 'AutoDecline'::text]))),
  constraint card_authorization_settings_model_check CHECK ((model = ANY (ARRAY['ServiceManaged'::text, 'CustomerManaged'::text]))),
  constraint card_authorization_settings_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(organization_id),
  constraint card_authorization_settings_pkey PRIMARY KEY (organization_id)
);

create table card_merchants (
  organization_id text collate "C" not null,
  card_id text collate "C" not null,
  list text not null,
  mid text collate "C" not null,
  unblocked boolean not null default false,
  created_at timestamp with time zone not null,
  constraint card_merchants_list_check CHECK ((list = ANY (ARRAY['White'::text, 'Black'::text]))),
  constraint card_merchants_pkey PRIMARY KEY (organization_id, card_id, mid, list)
);

create table card_secrets (
  organization_id text collate "C" not null,
  card_id text collate "C" not null,
  pan_sealed bytea not null,
  pan_hash bytea not null,
  pan_hash_key integer not null,
  cvv_key integer not null,
  constraint card_secrets_pkey PRIMARY KEY (organization_id, card_id)
);
CREATE UNIQUE INDEX card_secrets_by_pan ON public.card_secrets USING btree (pan_hash);

create table cards (
  organization_id text collate "C" not null,
  card_id text collate "C" not null,
  customer_id text collate "C" not null,
  account_id text collate "C" not null,
  type text not null,
  status text not null,
  programme_id text not null,
  currency text collate "C" not null,
  brand text not null,
  masked_pan text not null,
  expiry_month smallint not null,
  expiry_year smallint not null,
  name_on_card text not null,
  contactless_payment boolean not null,
  daily_limit_minor bigint,
  transaction_limit_minor bigint,
  white_listed_mccs jsonb not null,
  black_listed_mccs jsonb not null,
  billing_address jsonb,
  shared_balance boolean not null,
  swipe_count integer,
  metadata jsonb not null,
  termination_reason text,
  created_at timestamp with time zone not null,
  terminated_at timestamp with time zone,
  is_guest boolean not null default false,
  constraint cards_check CHECK (((type = 'Lite'::text) = (swipe_count IS NOT NULL))),
  constraint cards_check1 CHECK (((status = 'Terminated'::text) = (terminated_at IS NOT NULL))),
  constraint cards_daily_limit_minor_check CHECK ((daily_limit_minor > 0)),
  constraint cards_expiry_month_check CHECK (((expiry_month >= 1) AND (expiry_month <= 12))),
  constraint cards_pkey PRIMARY KEY (organization_id, card_id),
  constraint cards_status_check CHECK ((status = ANY (ARRAY['Active'::text, 'Frozen'::text, 'Terminated'::text]))),
  constraint cards_swipe_count_check CHECK ((swipe_count > 0)),
  constraint cards_transaction_limit_minor_check CHECK ((transaction_limit_minor > 0)),
  constraint cards_type_check CHECK ((type = ANY (ARRAY['Retail'::text, 'Corporate'::text, 'Lite'::text])))
) with (fillfactor=80);
CREATE INDEX cards_by_kind ON public.cards USING btree (organization_id, currency, status, type, card_id);
CREATE INDEX cards_by_last_four ON public.cards USING btree (organization_id, "right"(masked_pan, 4), card_id);
CREATE INDEX cards_of_account ON public.cards USING btree (organization_id, account_id);
CREATE INDEX cards_of_customer ON public.cards USING btree (organization_id, customer_id, card_id) INCLUDE (currency, status, type);

create table clearing_lines (
  organization_id text collate "C" not null,
  line_reference text collate "C" not null,
  kind text not null,
  transaction_id text collate "C" not null,
  outcome text not null,
  is_posted boolean not null,
  created_at timestamp with time zone not null,
  amount_minor bigint,
  constraint clearing_lines_kind_check CHECK ((kind = ANY (ARRAY['Settlement'::text, 'Refund'::text]))),
  constraint clearing_lines_outcome_check CHECK ((outcome = ANY (ARRAY['Matched'::text, 'ForcePosted'::text, 'AmountDiffers'::text]))),
  constraint clearing_lines_pkey PRIMARY KEY (organization_id, line_reference)
);
CREATE INDEX clearing_lines_of_transaction ON public.clearing_lines USING btree (organization_id, transaction_id, kind);

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
  secret_revealable boolean not null default false,
  secret_created_at timestamp with time zone,
  previous_secret_created_at timestamp with time zone,
  constraint clients_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(organization_id),
  constraint clients_pkey PRIMARY KEY (client_id),
  constraint clients_status_check CHECK ((status = ANY (ARRAY['Enabled'::text, 'Disabled'::text])))
);
CREATE INDEX clients_of_organization ON public.clients USING btree (organization_id);

create table cross_border_charges (
  organization_id text collate "C" not null,
  charge_id text collate "C" not null,
  card_id text collate "C" not null,
  account_id text collate "C" not null,
  transaction_id text collate "C" not null,
  amount_minor bigint not null,
  currency text collate "C" not null,
  status text not null,
  created_at timestamp with time zone not null,
  collected_at timestamp with time zone,
  constraint cross_border_charges_amount_minor_check CHECK ((amount_minor > 0)),
  constraint cross_border_charges_check CHECK (((status = 'Collected'::text) = (collected_at IS NOT NULL))),
  constraint cross_border_charges_pkey PRIMARY KEY (organization_id, charge_id),
  constraint cross_border_charges_status_check CHECK ((status = ANY (ARRAY['Pending'::text, 'Collected'::text])))
);
CREATE INDEX cross_border_charges_of_card ON public.cross_border_charges USING btree (organization_id, card_id, charge_id);
CREATE INDEX cross_border_charges_pending ON public.cross_border_charges USING btree (organization_id, card_id, charge_id) WHERE (status = 'Pending'::text);
CREATE INDEX cross_border_charges_pending_of_account ON public.cross_border_charges USING btree (organization_id, account_id, charge_id) WHERE (status = 'Pending'::text);

create table customer_debts (
  organization_id text collate "C" not null,
  customer_id text collate "C" not null,
  account_id text collate "C" not null,
  constraint customer_debts_pkey PRIMARY KEY (organization_id, customer_id, account_id)
);

create table customer_words (
  organization_id text collate "C" not null,
  word text collate "C" not null,
  customer_id text collate "C" not null,
  constraint customer_words_organization_id_customer_id_fkey FOREIGN KEY (organization_id, customer_id) REFERENCES customers(organization_id, customer_id),
  constraint customer_words_pkey PRIMARY KEY (organization_id, word, customer_id)
);

create table customers (
  organization_id text collate "C" not null,
  customer_id text collate "C" not null,
  type text collate "C" not null,
  client_reference text collate "C" not null,
  first_name text,
  last_name text,
  registered_name text,
  email text,
  phone_number text,
  address jsonb,
  search_name text not null,
  kyc_token text collate "C" not null,
  status text not null,
  created_at timestamp with time zone not null,
  approved_at timestamp with time zone,
  constraint customers_check CHECK (((type = 'Individual'::text) = ((first_name IS NOT NULL) AND (last_name IS NOT NULL)))),
  constraint customers_check1 CHECK (((type = 'Business'::text) = (registered_name IS NOT NULL))),
  constraint customers_check2 CHECK (((status = 'Approved'::text) = (approved_at IS NOT NULL))),
  constraint customers_organization_id_client_reference_type_key UNIQUE (organization_id, client_reference, type),
  constraint customers_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(organization_id),
  constraint customers_pkey PRIMARY KEY (organization_id, customer_id),
  constraint customers_status_check CHECK ((status = ANY (ARRAY['Initiated'::text, 'Pending'::text, 'Approved'::text, 'Rejected'::text]))),
  constraint customers_type_check CHECK ((type = ANY (ARRAY['Individual'::text, 'Business'::text])))
);
CREATE INDEX customers_of_type ON public.customers USING btree (organization_id, type, customer_id);
CREATE INDEX customers_undecided ON public.customers USING btree (organization_id, customer_id) WHERE (status = ANY (ARRAY['Initiated'::text, 'Pending'::text]));

create table data_keys (
  purpose text not null,
  version integer not null,
  wrapped_key bytea not null,
  created_at timestamp with time zone not null,
  constraint data_keys_pkey PRIMARY KEY (purpose, version),
  constraint data_keys_version_check CHECK ((version > 0))
);

create table event_log (
  entry_id bigint not null generated always as identity,
  organization_id text collate "C" not null,
  event_ids text collate "C" not null,
  events integer not null,
  position bigint,
  constraint event_log_events_check CHECK ((events > 0))
) with (toast_tuple_target=8160);
CREATE UNIQUE INDEX event_log_feed ON public.event_log USING btree (organization_id, "position") WHERE ("position" IS NOT NULL);
CREATE INDEX event_log_waiting ON public.event_log USING btree (entry_id) WHERE ("position" IS NULL);

create table events (
  organization_id text collate "C" not null,
  event_id text collate "C" not null,
  event_type text not null,
  card_id text collate "C",
  sequence bigint,
  client_reference text,
  data json not null,
  created_at timestamp with time zone not null,
  begins text collate "C",
  constraint events_pkey PRIMARY KEY (organization_id, event_id)
);
CREATE INDEX events_of_client_reference ON public.events USING btree (organization_id, client_reference, event_id) WHERE (client_reference IS NOT NULL);

create table hold_sweeps (
  organization_id text collate "C" not null,
  hold_days integer not null,
  swept_to text collate "C" not null,
  lease_until timestamp with time zone,
  constraint hold_sweeps_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(organization_id),
  constraint hold_sweeps_pkey PRIMARY KEY (organization_id, hold_days)
);

create table kyc_images (
  organization_id text collate "C" not null,
  kyc_token text collate "C" not null,
  side text not null,
  media_type text not null,
  image_sealed bytea not null,
  constraint kyc_images_organization_id_kyc_token_fkey FOREIGN KEY (organization_id, kyc_token) REFERENCES kyc_verifications(organization_id, kyc_token),
  constraint kyc_images_pkey PRIMARY KEY (organization_id, kyc_token, side),
  constraint kyc_images_side_check CHECK ((side = ANY (ARRAY['Front'::text, 'Back'::text])))
);

create table kyc_verifications (
  organization_id text collate "C" not null,
  kyc_token text collate "C" not null,
  customer_id text collate "C" not null,
  client_reference text collate "C" not null,
  kind text not null,
  id_type text,
  details jsonb not null,
  identity_sealed bytea not null,
  provider text collate "C" not null,
  provider_id text collate "C",
  status text not null,
  reject_type text,
  reject_labels text[],
  due_at timestamp with time zone,
  lease_until timestamp with time zone,
  attempts integer not null default 0,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint kyc_verifications_check CHECK (((kind = 'Business'::text) = (id_type IS NULL))),
  constraint kyc_verifications_check1 CHECK (((status = 'Rejected'::text) = ((reject_type IS NOT NULL) AND (reject_labels IS NOT NULL)))),
  constraint kyc_verifications_check2 CHECK (((due_at IS NULL) OR (status = ANY (ARRAY['Initiated'::text, 'Pending'::text])))),
  constraint kyc_verifications_kind_check CHECK ((kind = ANY (ARRAY['Number'::text, 'Document'::text, 'Business'::text]))),
  constraint kyc_verifications_organization_id_customer_id_fkey FOREIGN KEY (organization_id, customer_id) REFERENCES customers(organization_id, customer_id),
  constraint kyc_verifications_pkey PRIMARY KEY (organization_id, kyc_token),
  constraint kyc_verifications_reject_type_check CHECK ((reject_type = ANY (ARRAY['FINAL'::text, 'RETRY'::text]))),
  constraint kyc_verifications_status_check CHECK ((status = ANY (ARRAY['Initiated'::text, 'Pending'::text, 'Approved'::text, 'Rejected'::text])))
);
CREATE UNIQUE INDEX kyc_verifications_by_token ON public.kyc_verifications USING btree (kyc_token);
CREATE INDEX kyc_verifications_due ON public.kyc_verifications USING btree (provider, due_at) WHERE (due_at IS NOT NULL);

create table mailbox (
  mail_id text collate "C" not null,
  recipient text not null,
  subject text not null,
  text_body text not null,
  html_body text not null,
  created_at timestamp with time zone not null,
  constraint mailbox_pkey PRIMARY KEY (mail_id)
);

create table network_messages (
  organization_id text collate "C" not null,
  network_reference text collate "C" not null,
  request_type text not null,
  transaction_id text collate "C" not null,
  stage text not null,
  created_at timestamp with time zone not null,
  amount_minor bigint,
  confirms boolean not null default false,
  constraint network_messages_pkey PRIMARY KEY (organization_id, network_reference, request_type)
);
CREATE INDEX network_messages_by_stage ON public.network_messages USING btree (organization_id, stage, transaction_id) WHERE (stage <> 'Authorization'::text);

create table organizations (
  organization_id text collate "C" not null,
  name text not null,
  status text not null default 'Enabled'::text,
  customer_managed boolean not null default false,
  webhook_secret_sealed bytea not null,
  sandbox_seed_sealed bytea,
  created_at timestamp with time zone not null,
  webhook_secret_created_at timestamp with time zone,
  previous_webhook_secret_sealed bytea,
  previous_webhook_secret_created_at timestamp with time zone,
  previous_webhook_secret_until timestamp with time zone,
  constraint organizations_pkey PRIMARY KEY (organization_id),
  constraint organizations_status_check CHECK ((status = ANY (ARRAY['Enabled'::text, 'Disabled'::text])))
);
CREATE UNIQUE INDEX organizations_one_sandbox_seed ON public.organizations USING btree ((true)) WHERE (sandbox_seed_sealed IS NOT NULL);

create table people (
  organization_id text collate "C" not null,
  person_id text collate "C" not null,
  email text collate "C" not null,
  name text not null,
  role text not null,
  password_hash text not null,
  totp_secret_sealed bytea,
  totp_enrolled_at timestamp with time zone,
  totp_last_step bigint not null default 0,
  created_at timestamp with time zone not null,
  last_seen_at timestamp with time zone,
  removed_at timestamp with time zone,
  constraint people_check CHECK (((totp_enrolled_at IS NULL) OR (totp_secret_sealed IS NOT NULL))),
  constraint people_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(organization_id),
  constraint people_pkey PRIMARY KEY (organization_id, person_id),
  constraint people_role_check CHECK ((role = ANY (ARRAY['Owner'::text, 'Developer'::text, 'Finance'::text, 'Support'::text, 'Viewer'::text])))
);
CREATE UNIQUE INDEX people_by_email ON public.people USING btree (email) WHERE (removed_at IS NULL);
CREATE UNIQUE INDEX people_by_id ON public.people USING btree (person_id);

create table person_devices (
  organization_id text collate "C" not null,
  person_id text collate "C" not null,
  device_hash text collate "C" not null,
  seen_at timestamp with time zone not null,
  constraint person_devices_organization_id_person_id_fkey FOREIGN KEY (organization_id, person_id) REFERENCES people(organization_id, person_id),
  constraint person_devices_pkey PRIMARY KEY (organization_id, person_id, device_hash)
);

create table person_links (
  link_id text collate "C" not null,
  kind text not null,
  token_hash text collate "C" not null,
  organization_id text collate "C",
  person_id text collate "C",
  email text collate "C" not null,
  name text not null,
  organization_name text,
  role text not null,
  invited_by text collate "C",
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  used_at timestamp with time zone,
  constraint person_links_check CHECK (((kind = 'SignUp'::text) = ((organization_id IS NULL) AND (organization_name IS NOT NULL)))),
  constraint person_links_check1 CHECK (((kind = 'Reset'::text) = (person_id IS NOT NULL))),
  constraint person_links_kind_check CHECK ((kind = ANY (ARRAY['SignUp'::text, 'Invitation'::text, 'Reset'::text]))),
  constraint person_links_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(organization_id),
  constraint person_links_pkey PRIMARY KEY (link_id)
);
CREATE INDEX person_links_by_end ON public.person_links USING btree (expires_at);
CREATE UNIQUE INDEX person_links_by_token ON public.person_links USING btree (token_hash);
CREATE INDEX person_links_of_organization ON public.person_links USING btree (organization_id, link_id) WHERE ((kind = 'Invitation'::text) AND (used_at IS NULL));

create table person_sessions (
  organization_id text collate "C" not null,
  session_id text collate "C" not null,
  person_id text collate "C" not null,
  token_hash text collate "C" not null,
  state text not null,
  address text not null,
  user_agent text not null,
  created_at timestamp with time zone not null,
  last_seen_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  constraint person_sessions_organization_id_person_id_fkey FOREIGN KEY (organization_id, person_id) REFERENCES people(organization_id, person_id),
  constraint person_sessions_pkey PRIMARY KEY (organization_id, session_id),
  constraint person_sessions_state_check CHECK ((state = ANY (ARRAY['Totp'::text, 'EnrolTotp'::text, 'Full'::text])))
);
CREATE INDEX person_sessions_by_end ON public.person_sessions USING btree (expires_at);
CREATE UNIQUE INDEX person_sessions_by_token ON public.person_sessions USING btree (token_hash);
CREATE INDEX person_sessions_of_person ON public.person_sessions USING btree (organization_id, person_id);

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

create table recovery_codes (
  organization_id text collate "C" not null,
  person_id text collate "C" not null,
  code_hash text collate "C" not null,
  used_at timestamp with time zone,
  constraint recovery_codes_organization_id_person_id_fkey FOREIGN KEY (organization_id, person_id) REFERENCES people(organization_id, person_id),
  constraint recovery_codes_pkey PRIMARY KEY (organization_id, person_id, code_hash)
);

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
  environment text collate "C",
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

create table transactions (
  organization_id text collate "C" not null,
  transaction_id text collate "C" not null,
  card_id text collate "C" not null,
  customer_id text collate "C" not null,
  account_id text collate "C" not null,
  type text not null,
  stage text not null,
  approved boolean not null,
  response_code text not null,
  amount_minor bigint not null,
  currency text collate "C" not null,
  billing_amount_minor bigint not null,
  billing_currency text collate "C" not null,
  held_minor bigint not null default 0,
  settled_minor bigint not null default 0,
  reversed_minor bigint not null default 0,
  refunded_minor bigint not null default 0,
  over_captured boolean not null default false,
  merchant json,
  entry_mode text,
  approval_code text,
  network_reference text,
  transfer_id text collate "C",
  events json not null,
  billing_rate text,
  expires_at timestamp with time zone,
  decision json,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint transactions_held_minor_check CHECK ((held_minor >= 0)),
  constraint transactions_pkey PRIMARY KEY (organization_id, transaction_id)
) with (fillfactor=80);
CREATE INDEX transactions_by_kind ON public.transactions USING btree (organization_id, type, approved, currency, transaction_id) WHERE ((type <> 'Authorization'::text) OR (NOT approved) OR (currency <> billing_currency));
CREATE INDEX transactions_by_network_trace ON public.transactions USING btree ((((((organization_id || ' '::text) || card_id) || ' T'::text) || "right"(network_reference, 16)))) WHERE (((network_reference COLLATE "C") < ':'::text) AND (length(network_reference) > 28));
CREATE INDEX transactions_by_retrieval ON public.transactions USING btree ((((((organization_id || ' '::text) || card_id) || ' R'::text) || "left"("right"(network_reference, 28), 12)))) WHERE (((network_reference COLLATE "C") < ':'::text) AND (length(network_reference) > 28));
CREATE INDEX transactions_of_card ON public.transactions USING btree (organization_id, card_id, transaction_id);
CREATE UNIQUE INDEX transactions_of_network_reference ON public.transactions USING btree (network_reference, type, organization_id) WHERE (network_reference IS NOT NULL);
CREATE INDEX transactions_verifications ON public.transactions USING btree (organization_id, transaction_id) WHERE (approved AND (billing_amount_minor = 0));

create table unapplied_messages (
  organization_id text collate "C" not null,
  network_reference text collate "C" not null,
  request_type text not null,
  card_id text collate "C" not null,
  response_code text not null,
  original_key text collate "C",
  created_at timestamp with time zone not null,
  constraint unapplied_messages_pkey PRIMARY KEY (organization_id, network_reference, request_type)
);
CREATE INDEX unapplied_messages_by_age ON public.unapplied_messages USING btree (created_at);
CREATE INDEX unapplied_messages_by_original ON public.unapplied_messages USING btree (organization_id, card_id, original_key) WHERE (original_key IS NOT NULL);

create table wallet_adjustments (
  organization_id text collate "C" not null,
  reference text collate "C" not null,
  wallet_id text collate "C" not null,
  entry_id text collate "C" not null,
  amount_minor bigint not null,
  currency text collate "C" not null,
  created_at timestamp with time zone not null,
  constraint wallet_adjustments_amount_minor_check CHECK ((amount_minor <> 0)),
  constraint wallet_adjustments_pkey PRIMARY KEY (organization_id, reference)
);

create table webhook_attempts (
  organization_id text collate "C" not null,
  event_id text collate "C" not null,
  attempt_id bigint not null generated always as identity,
  webhook_endpoint_id text collate "C" not null,
  at timestamp with time zone not null,
  http_status smallint,
  error text,
  duration_ms integer not null,
  constraint webhook_attempts_pkey PRIMARY KEY (organization_id, event_id, attempt_id)
);

create table webhook_deliveries (
  organization_id text collate "C" not null,
  webhook_endpoint_id text collate "C" not null,
  event_id text collate "C" not null,
  attempts integer not null,
  due_at timestamp with time zone,
  lease_until timestamp with time zone,
  worker_id integer,
  constraint webhook_deliveries_pkey PRIMARY KEY (organization_id, webhook_endpoint_id, event_id)
) with (fillfactor=70);
CREATE INDEX webhook_deliveries_due ON public.webhook_deliveries USING btree (organization_id, webhook_endpoint_id, due_at) WHERE (due_at IS NOT NULL);

create table webhook_endpoints (
  organization_id text collate "C" not null,
  webhook_endpoint_id text collate "C" not null,
  url text not null,
  event_types text[] not null,
  status text not null,
  secret_sealed bytea not null,
  previous_secret_sealed bytea,
  previous_secret_until timestamp with time zone,
  position bigint not null,
  recover_from text collate "C",
  recover_until text collate "C",
  failing_since timestamp with time zone,
  failed_at timestamp with time zone,
  created_at timestamp with time zone not null,
  constraint webhook_endpoints_check CHECK (((recover_from IS NULL) = (recover_until IS NULL))),
  constraint webhook_endpoints_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(organization_id),
  constraint webhook_endpoints_pkey PRIMARY KEY (organization_id, webhook_endpoint_id),
  constraint webhook_endpoints_status_check CHECK ((status = ANY (ARRAY['Enabled'::text, 'Disabled'::text])))
) with (fillfactor=50);
CREATE INDEX webhook_endpoints_failing ON public.webhook_endpoints USING btree (failing_since) WHERE ((failing_since IS NOT NULL) AND (status = 'Enabled'::text));

create table webhook_workers (
  worker_id integer not null generated always as identity,
  started_at timestamp with time zone not null default now(),
  constraint webhook_workers_pkey PRIMARY KEY (worker_id)
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

CREATE OR REPLACE FUNCTION public.note_debt()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION public.refuse_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  raise exception 'rows of % are never changed or deleted', tg_table_name using errcode = 'restrict_violation';
end $function$;
