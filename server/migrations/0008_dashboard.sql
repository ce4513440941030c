-- People who use the dashboard. One belongs to one organization; an address of e-mail belongs to one person.
-- Times of this file are real, but for those of invitations and audits, which people read beside others.
create table people (
  organization_id text collate "C" not null references organizations,
  person_id text collate "C" not null,
  -- Folded, so that it is found however it is written.
  email text collate "C" not null,
  name text not null,
  role text not null check (role in ('Owner', 'Developer', 'Finance', 'Support', 'Viewer')),
  -- Argon2id, with its salt and its parameters.
  password_hash text not null,
  -- Without a time of enrolment it was shown and not confirmed yet.
  totp_secret_sealed bytea,
  totp_enrolled_at timestamptz,
  -- The latest step whose code was used: a code works once.
  totp_last_step bigint not null default 0,
  created_at timestamptz not null,
  last_seen_at timestamptz,
  -- Whoever is removed stays, because the audit names them.
  removed_at timestamptz,
  primary key (organization_id, person_id),
  check (totp_enrolled_at is null or totp_secret_sealed is not null)
);
create unique index people_by_email on people (email) where removed_at is null;
create unique index people_by_id on people (person_id);

-- For whoever has lost the device that makes codes. Each works once.
create table recovery_codes (
  organization_id text collate "C" not null,
  person_id text collate "C" not null,
  code_hash text collate "C" not null,
  used_at timestamptz,
  primary key (organization_id, person_id, code_hash),
  foreign key (organization_id, person_id) references people
);

-- Who is signed in, or half way there. Tokens are kept as keyed hashes only.
create table person_sessions (
  organization_id text collate "C" not null,
  session_id text collate "C" not null,
  person_id text collate "C" not null,
  token_hash text collate "C" not null,
  state text not null check (state in ('Totp', 'EnrolTotp', 'Full')),
  address text not null,
  user_agent text not null,
  created_at timestamptz not null,
  last_seen_at timestamptz not null,
  expires_at timestamptz not null,
  primary key (organization_id, session_id),
  foreign key (organization_id, person_id) references people
);
create unique index person_sessions_by_token on person_sessions (token_hash);
create index person_sessions_of_person on person_sessions (organization_id, person_id);
create index person_sessions_by_end on person_sessions (expires_at);

-- Browsers from which somebody has signed in before. Their attempts are counted apart from everybody
-- else's, so that nobody can lock a person out from afar.
create table person_devices (
  organization_id text collate "C" not null,
  person_id text collate "C" not null,
  device_hash text collate "C" not null,
  seen_at timestamptz not null,
  primary key (organization_id, person_id, device_hash),
  foreign key (organization_id, person_id) references people
);

-- What links in letters stand for. A link works once and not for long.
create table person_links (
  link_id text collate "C" primary key,
  kind text not null check (kind in ('SignUp', 'Invitation', 'Reset')),
  token_hash text collate "C" not null,
  -- Of a sign-up there is none yet: it is founded with the registration.
  organization_id text collate "C" references organizations,
  -- Whose password a reset is for.
  person_id text collate "C",
  email text collate "C" not null,
  name text not null,
  organization_name text,
  role text not null,
  invited_by text collate "C",
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz,
  check ((kind = 'SignUp') = (organization_id is null and organization_name is not null)),
  check ((kind = 'Reset') = (person_id is not null))
);
create unique index person_links_by_token on person_links (token_hash);
create index person_links_of_organization on person_links (organization_id, link_id)
  where kind = 'Invitation' and used_at is null;
create index person_links_by_end on person_links (expires_at);

-- The letters that a sandbox would have sent.
create table mailbox (
  mail_id text collate "C" primary key,
  recipient text not null,
  subject text not null,
  text_body text not null,
  html_body text not null,
  created_at timestamptz not null
);

-- The latest answers of the API, for developers who look for their own. Unlogged, because it must cost
-- next to nothing: a crash of the database empties it.
create unlogged table api_requests (
  organization_id text collate "C" not null,
  request_id text collate "C" not null,
  method text not null,
  path text not null,
  reference text not null,
  response_code text not null,
  http_status smallint not null,
  duration_ms real not null,
  created_at timestamptz not null,
  primary key (organization_id, request_id)
);

-- What a person did is done to something, from somewhere.
alter table audit_log add column subject text, add column address text, add column outcome text;
create index audit_log_of_actor on audit_log (organization_id, actor, audit_id);

-- The dashboard shows a secret once, and how old the secrets are.
alter table clients add column secret_revealable boolean not null default false,
  add column secret_created_at timestamptz, add column previous_secret_created_at timestamptz;

-- Cards are looked for by the last digits of their number; customers that wait are counted.
create index cards_by_last_four on cards (organization_id, right(masked_pan, 4), card_id);
create index customers_undecided on customers (organization_id, customer_id)
  where status in ('Initiated', 'Pending');
