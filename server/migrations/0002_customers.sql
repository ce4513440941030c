-- People and businesses whom an organization may issue cards to once they are verified. A row comes
-- with the first verification of its reference and follows the latest one, until one is approved.
-- Its id has the time of its creation, so that lists by time are ranges of ids.
create table customers (
  organization_id text collate "C" not null references organizations,
  customer_id text collate "C" not null,
  type text collate "C" not null check (type in ('Individual', 'Business')),
  client_reference text collate "C" not null,
  first_name text,
  last_name text,
  registered_name text,
  email text,
  phone_number text,
  address jsonb,
  -- The words of the name, folded, each behind a space.
  search_name text not null,
  kyc_token text collate "C" not null,
  status text not null check (status in ('Initiated', 'Pending', 'Approved', 'Rejected')),
  created_at timestamptz not null,
  approved_at timestamptz,
  primary key (organization_id, customer_id),
  unique (organization_id, client_reference, type),
  check ((type = 'Individual') = (first_name is not null and last_name is not null)),
  check ((type = 'Business') = (registered_name is not null)),
  check ((status = 'Approved') = (approved_at is not null))
);
create index customers_of_type on customers (organization_id, type, customer_id);

-- The words of customers' names, so that one is found by the beginning of any of them.
create table customer_words (
  organization_id text collate "C" not null,
  word text collate "C" not null,
  customer_id text collate "C" not null,
  primary key (organization_id, word, customer_id),
  foreign key (organization_id, customer_id) references customers
);

-- One row per submission. Identity numbers and dates of birth are in `identity_sealed` only.
create table kyc_verifications (
  organization_id text collate "C" not null,
  kyc_token text collate "C" not null,
  customer_id text collate "C" not null,
  client_reference text collate "C" not null,
  kind text not null check (kind in ('Number', 'Document', 'Business')),
  id_type text,
  details jsonb not null,
  identity_sealed bytea not null,
  provider text collate "C" not null,
  -- Set once the provider has the submission.
  provider_id text collate "C",
  status text not null check (status in ('Initiated', 'Pending', 'Approved', 'Rejected')),
  reject_type text check (reject_type in ('FINAL', 'RETRY')),
  reject_labels text[],
  -- When it is to be submitted or asked after next, in service time; never once it is decided.
  due_at timestamptz,
  -- Until when one worker has it, in real time.
  lease_until timestamptz,
  -- What was tried in vain since it last got on: faults before the submission, questions after it.
  attempts integer not null default 0,
  created_at timestamptz not null,
  -- Of the latest step; each step is later than the one before it.
  updated_at timestamptz not null,
  primary key (organization_id, kyc_token),
  foreign key (organization_id, customer_id) references customers,
  check ((kind = 'Business') = (id_type is null)),
  check ((status = 'Rejected') = (reject_type is not null and reject_labels is not null)),
  check (due_at is null or status in ('Initiated', 'Pending'))
);
-- A provider's call-back knows the token only.
create unique index kyc_verifications_by_token on kyc_verifications (kyc_token);
create index kyc_verifications_due on kyc_verifications (provider, due_at) where due_at is not null;

-- Images of documents, each sealed. They do not compress, so nobody shall try.
create table kyc_images (
  organization_id text collate "C" not null,
  kyc_token text collate "C" not null,
  side text not null check (side in ('Front', 'Back')),
  media_type text not null,
  image_sealed bytea not null,
  primary key (organization_id, kyc_token, side),
  foreign key (organization_id, kyc_token) references kyc_verifications
);
alter table kyc_images alter column image_sealed set storage external;
