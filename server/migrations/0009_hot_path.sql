-- An event that tells of a payment that just began keeps only what the payment itself does not: the rest is
-- read from there. A purchase would otherwise be written twice.
alter table events add column begins text collate "C";

-- A plan that was made for an empty table finds every index of it equally good, and would look through all
-- payments of an organization for one. This one leads with what is rare; see the query that uses it.
create unique index transactions_of_network_reference
  on transactions (network_reference, type, organization_id) where network_reference is not null;
drop index transactions_by_network_reference;

-- Rows are written back where they were read. One that is not there any more was changed by somebody who did
-- not keep to the locks: whoever finds that out starts again.
create function expect_rows(seen bigint, wanted int) returns void language plpgsql as $$
begin
  if seen <> wanted then
    raise exception '% of % rows are where they were read', seen, wanted using errcode = 'serialization_failure';
  end if;
end $$;
