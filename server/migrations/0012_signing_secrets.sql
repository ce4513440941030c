-- The secret that signs what organizations are asked and told can be replaced, like those of webhook endpoints:
-- until then the one before signs too. A secret without a time of its own is as old as its organization.
alter table organizations
  add column webhook_secret_created_at timestamptz,
  add column previous_webhook_secret_sealed bytea,
  add column previous_webhook_secret_created_at timestamptz,
  add column previous_webhook_secret_until timestamptz;
