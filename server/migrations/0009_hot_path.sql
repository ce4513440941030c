-- An event that tells of a payment that just began keeps only what the payment itself does not: the rest is
-- read from there. A purchase would otherwise be written twice.
alter table events add column begins text collate "C";

-- A plan that was made for an empty table finds every index of it equally good, and would look through all
-- payments of an organization for one. This one leads with what is rare; see the query that uses it.
create unique index transactions_of_network_reference
  on transactions (network_reference, type, organization_id) where network_reference is not null;
drop index transactions_by_network_reference;
